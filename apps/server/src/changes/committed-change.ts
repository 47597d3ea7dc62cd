import sql from 'sql-template-tag'
import { z } from 'zod'

export const committedChange = z.object({
  xid: z.int(),
  id: z.int(),
  account: z.int(),
  collection: z.string(),
  item: z.uuid(),
  action: z.enum(['save', 'remove', 'reread']),
  isPolicy: z.boolean(),
})

/** A change that any client may receive. `reread`: it affects more items of the collection than are sent one by one. */
export type CommittedChange = z.output<typeof committedChange>

/** The same as it is stored in the outbox. */
export const changeColumns = sql`change_xid::text::bigint as xid, change_id as id, change_account as account,
  change_collection as collection, change_item as item, change_action as action, change_is_policy as "isPolicy"`
