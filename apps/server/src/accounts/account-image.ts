import { accounts } from '@portcullis/contract/collections/accounts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { recordChangeOfItem } from '../collections/record-change-of-item.ts'
import { notFound, readItem } from '../collections/get.ts'
import type { Database, Transaction } from '../database/database.ts'
import { encodePicture, type Picture } from '../pictures/encode-picture.ts'

/** The longer side of the stored picture. */
const maxSidePx = 256

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
  const image = upload === 'none' ? undefined : await encodePicture({ upload, account: access.account.key, maxSidePx })
  return workAs(database, access, (tx) => replace(tx, { access, id, image }))
}

type WriteImageInput = { access: Access; id: string; upload: unknown }
type ReplaceImageInput = { access: Access; id: string; image: Picture | undefined }

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
