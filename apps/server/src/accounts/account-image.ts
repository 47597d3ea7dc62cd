import { accounts } from '@portcullis/contract/collections/accounts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { recordChangeOfItem } from '../collections/record-change-of-item.ts'
import { notFound, readItem } from '../collections/get.ts'
import type { Database, Transaction } from '../database/database.ts'
import { problem } from '@portcullis/contract/errors/problem'
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { Turns } from '../limits/turns.ts'
import { unusable } from '../errors/unusable.ts'

// One picture at a time, on one thread and without a cache: decoding takes memory and the threads that hash passwords.
sharp.concurrency(1)
sharp.cache(false)
const turnsOfAccount = new Turns({ most: 1, waiting: 4 })
const turnsOfAll = new Turns({ most: 1, waiting: 200 })

const imageRow = z.object({ tag: z.string(), bytes: z.instanceof(Buffer) })

/** The picture of the current account. Without one the answer is 404, as for an unknown account. */
export async function readImage(database: Database, { account }: Access) {
  const image = await database.inAccounts([account.key], (tx) =>
    tx.first(
      imageRow,
      sql`select account_image_tag as tag, account_image_bytes as bytes from account_image
           where account_image_account = ${account.key}`,
    ),
  )
  if (!image) throw notFound(accounts)
  return image
}

/** Replaces the picture of the current account, or removes it if `upload` is `'none'`. */
export async function writeImage(database: Database, { access, id, upload }: WriteImageInput) {
  const reading = { collection: accounts, accounts: [access.account.key], id }
  await database.inAccounts(access.subtree, (tx) => readItem(tx, reading))
  // Outside the transaction: resizing takes longer than a lock should be held.
  const image =
    upload === 'none'
      ? undefined
      : await turnsOfAccount.take(`${access.account.key}`, () => turnsOfAll.take('picture', () => smallImage(upload)))
  return workAs(database, access, (tx) => replace(tx, { access, id, image }))
}

type WriteImageInput = { access: Access; id: string; upload: unknown }
type ReplaceImageInput = { access: Access; id: string; image: SmallImage | undefined }

async function replace(tx: Transaction, { access, id, image }: ReplaceImageInput) {
  const { key } = access.account
  const before = await tx.first(
    z.object({ tag: z.string() }),
    sql`select account_image_tag as tag from account_image where account_image_account = ${key} for update`,
  )
  await (image
    ? tx.run(sql`insert into account_image (account_image_account, account_image_tag, account_image_bytes)
        values (${key}, ${image.tag}, ${image.bytes})
        on conflict (account_image_account) do update
        set account_image_tag = excluded.account_image_tag, account_image_bytes = excluded.account_image_bytes`)
    : tx.run(sql`delete from account_image where account_image_account = ${key}`))
  return recordChangeOfItem(tx, {
    access,
    collection: { ...accounts, isPolicy: false },
    account: key,
    item: id,
    action: 'patch',
    before: { image: before?.tag ?? null },
    after: { image: image?.tag ?? null },
    undoes: undefined,
    furtherChanges: [],
  })
}

/** The longer side of the stored picture. */
const maxSidePx = 256
/** A small file can decompress into a picture that fills the memory. */
const maxInputPixels = 25_000_000

const formats: readonly string[] = ['png', 'jpeg', 'webp']

type SmallImage = { bytes: Buffer; tag: string }

/**
 * Re-encodes an upload as an upright WebP of at most 256 px, without other data of the file. The format is detected
 * from the content; the declared name and type are ignored.
 */
async function smallImage(upload: unknown): Promise<SmallImage> {
  if (!Buffer.isBuffer(upload) || upload.length === 0) throw notAPicture()
  const picture = sharp(upload, { limitInputPixels: maxInputPixels, failOn: 'error' })
  const { format } = await picture.metadata().catch(refuse)
  if (!formats.includes(format)) throw notAPicture()
  const bytes = await picture
    .rotate()
    .resize(maxSidePx, maxSidePx, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 88 })
    .toBuffer()
    .catch(refuse)
  return { bytes, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) }
}

function refuse(cause: unknown): never {
  throw notAPicture(cause)
}

function notAPicture(cause?: unknown) {
  return unusable('image', problem('not_a_picture'), cause)
}
