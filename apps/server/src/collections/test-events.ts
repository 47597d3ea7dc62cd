import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../database/database.ts'

type Fields = {
  account: number
  occurredAt?: string
  outcome?: 'granted' | 'denied'
  door?: string
  site?: string
  user?: string
  credential?: string
}

/** Stores an event as the units' gateway would; returns its id. */
export async function storeEvent(
  database: Database,
  { account, occurredAt, outcome = 'granted', door, site, user, credential }: Fields,
) {
  const id = uuidv7()
  await database.asSystem((tx) =>
    tx.run(sql`insert into event (event_id, event_account, event_type, event_category, event_severity, event_outcome,
        event_door, event_site, event_user, event_credential, event_occurred_at)
      values (${id}, ${account}, ${`access.${outcome}`}, 'access', 'info', ${outcome}, ${door ?? null}::uuid,
        ${site ?? null}::uuid, ${user ?? null}::uuid, ${credential ?? null}::uuid, ${occurredAt ?? new Date().toISOString()})`),
  )
  return id
}

/** Stores many events, one per minute back from now; every third is denied. */
export function storeEvents(
  database: Database,
  { account, count, door }: Pick<Fields, 'account' | 'door'> & { count: number },
) {
  return database.asSystem((tx) =>
    tx.run(sql`insert into event (event_id, event_account, event_type, event_category, event_severity, event_outcome,
        event_door, event_occurred_at)
      select gen_random_uuid(), ${account}, 'access.granted', 'access', 'info',
             case when n % 3 = 0 then 'denied' else 'granted' end, ${door ?? null}::uuid, now() - n * interval '1 minute'
        from generate_series(1, ${count}::int) n`),
  )
}
