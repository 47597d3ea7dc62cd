import { floorPlans } from '@portcullis/contract/collections/floor-plans'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { removeItem } from '../collections/remove.ts'

/** The floor plans of a site are deleted with it, each with an audit log entry of its own. */
export const siteHooks: CollectionHooks = {
  async beforeDelete({ tx, access }, site) {
    const plans = await tx.rows(
      z.object({ id: z.uuid() }),
      sql`select floor_plan_id as id from floor_plan
           where floor_plan_site = ${site['_id']}::uuid and floor_plan_account = ${access.account.key}`,
    )
    for (const { id } of plans) await removeItem(tx, { collection: floorPlans, hooks: {}, access, id })
  },
}
