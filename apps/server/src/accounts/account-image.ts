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
import { unusable } from '../errors/unusable.ts'

const imageRow = z.object({ tag: z.string(), bytes: z.instanceof(Buffer) })

/** The picture of the account that somebody is in; none is as absent as an account that is not there. */
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

/** Keeps another picture of the account that somebody is in, or none where nothing was uploaded. */
export async function writeImage(database: Database, { access, id, upload }: Asked) {
  const reading = { collection: accounts, accounts: [access.account.key], id }
  await database.inAccounts(access.subtree, (tx) => readItem(tx, reading))
  // Before the transaction that keeps it: to draw a picture takes longer than anybody should wait for a lock.
  const image = upload === 'none' ? undefined : await smallImage(upload)
  return workAs(database, access, (tx) => replace(tx, { access, id, image }))
}

type Asked = { access: Access; id: string; upload: unknown }
type New = { access: Access; id: string; image: SmallImage | undefined }

async function replace(tx: Transaction, { access, id, image }: New) {
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
    others: [],
  })
}

/** The longer side of what is kept. */
const mostPx = 256
/** A small file can unfold into a picture that fills the memory. */
const mostPixels = 40_000_000

const kinds: readonly string[] = ['png', 'jpeg', 'webp']

type SmallImage = { bytes: Buffer; tag: string }

/**
 * Makes a picture of at most 256 px out of what was uploaded: drawn and written anew as WebP, upright, with nothing of what else the
 * file may hold. Its content tells what it is; names and types that came along don't count.
 */
async function smallImage(upload: unknown): Promise<SmallImage> {
  if (!Buffer.isBuffer(upload) || upload.length === 0) throw notAPicture()
  const picture = sharp(upload, { limitInputPixels: mostPixels, failOn: 'error' })
  const { format } = await picture.metadata().catch(refuse)
  if (!kinds.includes(format)) throw notAPicture()
  const bytes = await picture
    .rotate()
    .resize(mostPx, mostPx, { fit: 'inside', withoutEnlargement: true })
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
