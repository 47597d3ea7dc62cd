import { floorPlans } from '@portcullis/contract/collections/floor-plans'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { notFound, readItem, requireId } from '../collections/get.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { patchItem } from '../collections/patch.ts'
import type { Database } from '../database/database.ts'
import { encodePicture, type Picture } from '../pictures/encode-picture.ts'

/** Enough to read the labels of a drawing when it is enlarged. */
const maxSidePx = 4_096

const imageRow = z.object({ tag: z.string(), bytes: z.instanceof(Buffer) })

/** Without an image the answer is 404, as for an unknown plan. */
export async function readImage(database: Database, { access, id }: { access: Access; id: string }) {
  requireId(floorPlans, id)
  const { reads, signal } = access
  const image = await database.readInAccounts({ accounts: reads, signal }, (tx) =>
    tx.first(
      imageRow,
      sql`select floor_plan_image_tag as tag, floor_plan_image_bytes as bytes from floor_plan_image
           where floor_plan_image_id = ${id} and floor_plan_image_account = any(${reads}::int[])`,
    ),
  )
  if (!image) throw notFound(floorPlans)
  return image
}

type WriteImageInput = { access: Access; id: string; upload: unknown }

/** Replaces the image of a plan, or removes it if `upload` is `'none'`. */
export async function writeImage(database: Database, { access, id, upload }: WriteImageInput) {
  const account = access.account.key
  await database.inAccounts(access.subtree, (tx) => readItem(tx, { collection: floorPlans, accounts: [account], id }))
  // Outside the transaction: encoding takes longer than a lock should be held.
  const image = upload === 'none' ? undefined : await encodePicture({ upload, account, maxSidePx })
  const change = { collection: floorPlans, hooks: hooksFor(image), access, id, changes: {}, expected: undefined }
  const { entry } = await workAs(database, access, (tx) => patchItem(tx, change))
  return entry
}

/** Stores the image and, in the plan, its size. */
function hooksFor(image: Picture | undefined): CollectionHooks {
  return {
    async beforePatch({ tx, access }, { before }) {
      const id = z.uuid().parse(before['_id'])
      if (!image) {
        await tx.run(sql`delete from floor_plan_image where floor_plan_image_id = ${id}`)
        return { image: null }
      }
      const { tag, width, height, bytes } = image
      await tx.run(sql`insert into floor_plan_image (floor_plan_image_id, floor_plan_image_account, floor_plan_image_tag,
          floor_plan_image_bytes) values (${id}, ${access.account.key}, ${tag}, ${bytes})
        on conflict (floor_plan_image_id) do update
        set floor_plan_image_tag = excluded.floor_plan_image_tag, floor_plan_image_bytes = excluded.floor_plan_image_bytes`)
      return { image: { tag, width, height } }
    },
  }
}
