import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { recordChanges } from '../changes/record-change.ts'
import type { Database } from '../database/database.ts'

type HappenInput = { account: number; count: number; detail?: string }

/** Stores events in one transaction, as the gateway does for a unit, and returns their ids in order. */
export async function happen(database: Database, { account, count, detail = '' }: HappenInput) {
  const ids = Array.from({ length: count }, () => uuidv7())
  await database.asSystem(async (tx) => {
    await tx.run(sql`insert into event (event_id, event_account, event_type, event_category, event_severity,
        event_occurred_at, event_data)
      select id, ${account}, 'access.granted', 'access', 'info', now(), jsonb_build_object('detail', ${detail}::text)
        from unnest(${ids}::uuid[]) id`)
    await recordChanges(
      tx,
      ids.map((item) => ({ account, collection: 'events', item, action: 'save' as const, isPolicy: false })),
    )
  })
  return ids
}
