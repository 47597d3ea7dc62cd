import pg from 'pg'
import { systemRole } from './roles.ts'

type Sizes = { people: number; events: number }

/** Fills a database of the first schema version with an estate: one account, with a door for every ten people. */
export async function fillEstate(databaseUrl: string, { people, events }: Sizes) {
  const client = new pg.Client({ connectionString: databaseUrl, options: `-c role=${systemRole} -c timezone=UTC` })
  await client.connect()
  try {
    await client.query(
      `insert into account (account_id, account_ref, account_name, account_default_time_zone)
       values (uuidv7(), 'estate', 'Estate', 'UTC')`,
    )
    const fill = (statement: string, count: number) => client.query(statement, [count])
    const doors = Math.ceil(people / 10)
    await fill(
      `insert into site (site_id, site_account, site_name, site_time_zone)
       select uuidv7(), account_key, 'Site ' || n, 'UTC' from account, generate_series(1, $1::int) n`,
      Math.ceil(doors / 20),
    )
    await fill(
      `insert into unit (unit_id, unit_account, unit_name, unit_serial)
       select uuidv7(), account_key, 'Unit ' || n, 'E-' || n from account, generate_series(1, $1::int) n`,
      Math.ceil(doors / 10),
    )
    await fill(
      `insert into door (door_id, door_account, door_name, door_site, door_relock_after_seconds,
         door_held_open_after_seconds, door_directions)
       select uuidv7(), account_key, 'Door ' || n, (select min(site_id::text)::uuid from site), 5, 30, '{"entry": true}'
         from account, generate_series(1, $1::int) n`,
      doors,
    )
    await fill(
      `with person as (
         insert into person (person_id, person_home, person_name)
         select uuidv7(), account_key, 'Person ' || n from account, generate_series(1, $1::int) n
         returning person_id, person_home)
       insert into membership (membership_user, membership_account) select person_id, person_home from person`,
      people,
    )
    await client.query(
      `insert into credential (credential_id, credential_account, credential_kind, credential_number, credential_user,
         credential_status)
       select uuidv7(), membership_account, 'card', row_number() over (), membership_user, 'active' from membership`,
    )
    await fill(
      `insert into event (event_id, event_account, event_type, event_category, event_severity, event_occurred_at)
       select uuidv7(), account_key, 'access.granted', 'access', 'info', now() - n * interval '1 minute'
         from account, generate_series(1, $1::int) n`,
      events,
    )
    await fill(
      `insert into history (history_id, history_account, history_collection, history_item, history_action, history_schema)
       select uuidv7(), account_key, 'doors', uuidv7(), 'patch', 1 from account, generate_series(1, $1::int) n`,
      Math.ceil(events / 10),
    )
  } finally {
    await client.end()
  }
}
