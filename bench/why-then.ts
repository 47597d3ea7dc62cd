import type pg from 'pg'
import { events } from '@portcullis/contract/collections/events'
import { startFilledServer } from './filled-server.ts'
import { median, quantile } from './median.ts'
import { databaseMs, processMs } from './processor-time.ts'

/**
 * Measures `GET /api/events/{id}/whyThen` over events of the last year, beside a bare select of the same events by id in turns, and
 * how many rows of events and history were read without an index. Server and client share one process.
 *   npm run bench:why -- [events] [history rows] [people] [units] [requests]
 */
const [eventRows = 1_000_000, historyRows = 200_000, people = 10_000, units = 100, requests = 300] = process.argv
  .slice(2)
  .map(Number)
const goalMs = 200

const stops: (() => Promise<unknown>)[] = []
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const { owner, client } = await startFilledServer({ people, units, stops })
  await fillPast(owner)
  const { rows } = await owner.query<{ id: string }>(
    `select event_id as id from event where event_credential is not null order by md5(event_id::text) limit ${requests}`,
  )
  // The policy is loaded at first use.
  await client.explorer.whyThen(rows[0]?.id ?? '')
  const before = {
    server: await processMs(process.pid),
    database: await databaseMs(owner),
    scanned: await scanned(owner),
  }
  const times: number[] = []
  let evaluated = 0
  for (const { id } of rows) {
    const since = performance.now()
    const { decision } = await client.explorer.whyThen(id)
    times.push(performance.now() - since)
    if (decision) evaluated += 1
  }
  const server = (await processMs(process.pid)) - before.server
  const database = (await databaseMs(owner)) - before.database
  const rowsScanned = (await scanned(owner)) - before.scanned
  const bare = await timesOf(rows, ({ id }) => owner.query('select * from event where event_id = $1', [id]))
  const get = await timesOf(rows, ({ id }) => client.of(events).get(id))
  const p99 = quantile(times, 0.99)
  console.log(`\nwhyThen, ${eventRows} events, ${historyRows} history rows, ${people} people, ${units} controllers`)
  console.log(`  ${rows.length} events, of which ${evaluated} were evaluated`)
  console.log(
    `  median ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (goal ${goalMs} ms: ${p99 <= goalMs ? 'met' : 'MISSED'})`,
  )
  console.log(
    `  ${(median(times) / median(bare)).toFixed(0)} times a bare select of the event, ${median(bare).toFixed(2)} ms`,
  )
  console.log(`  ${(median(times) / median(get)).toFixed(1)} times GET /api/events/{id}, ${median(get).toFixed(1)} ms`)
  console.log(
    `  processor time a request: ${(server / rows.length).toFixed(1)} ms here, ${(database / rows.length).toFixed(1)} ms in the database`,
  )
  console.log(`  rows read without an index: ${(rowsScanned / rows.length).toFixed(0)} a request`)
}

async function timesOf<T>(all: readonly T[], work: (one: T) => Promise<unknown>) {
  const times: number[] = []
  for (const one of all) {
    const since = performance.now()
    await work(one)
    times.push(performance.now() - since)
  }
  return times
}

/** Of events, history and links. */
async function scanned(owner: pg.Client) {
  await owner.query('select pg_stat_force_next_flush(), pg_stat_clear_snapshot()')
  const { rows } = await owner.query<{ read: string }>(
    `select sum(seq_tup_read) as read from pg_stat_user_tables where relname ~ '^(event|history|link|link_history)(_\\d{4}_\\d{2}|_default)?$'`,
  )
  return Number(rows[0]?.read ?? 0)
}

/**
 * A year of events of the policy's credentials at its doors, one in ten from a controller that was out of sync, and of
 * changes of its users, rules and members of groups.
 */
async function fillPast(owner: pg.Client) {
  await owner.query(`
    create temporary table pair as
      select row_number() over (order by credential_id, door_id) as n, credential_id, credential_user, door.*
        from credential
        join link member on member.link_target = credential_user and member.link_field = 'members'
        join link who on who.link_target = member.link_owner and who.link_field = 'who'
        join link place on place.link_owner = who.link_owner and place.link_field = 'where'
        join door on door_site = place.link_target;
    create index on pair (n);
    analyze pair`)
  await owner.query(`insert into event (event_id, event_account, event_type, event_category, event_severity, event_site, event_door, event_unit,
      event_user, event_credential, event_direction, event_outcome, event_occurred_at, event_policy_version)
    select gen_random_uuid(), door_account, 'access.denied', 'access', 'notice', door_site, door_id, door_unit,
           credential_user, credential_id, 'entry', 'denied', now() - interval '365 days' * row / ${eventRows},
           1000000 - row::bigint * ${historyRows} / ${eventRows} - case when row % 10 = 0 then 1000 else 0 end
      from generate_series(1, ${eventRows}) row
      join pair on pair.n = 1 + (row::bigint * 7919) % (select count(*) from pair)`)
  const past = (row: string) => `now() - interval '365 days' * ${row} / ${historyRows}`
  await owner.query(`insert into history (history_id, history_account, history_collection, history_item, history_action,
      history_before, history_after, history_at, history_schema, history_policy_version)
    select gen_random_uuid(), account, collection, item, 'patch', before, after, ${past('row')}, 1, 1000000 - row
      from (
        select 2 * n as row, membership_account as account, 'users' as collection, membership_user as item,
               '{"status": "suspended"}'::jsonb as before, '{"status": "active"}'::jsonb as after
          from generate_series(1, ${historyRows} / 2) n
          join (select row_number() over () as place, * from membership) membership
            on place = 1 + n % (select count(*) from membership)
        union all
        select 2 * n - 1, rule_account, 'rules', rule_id, '{"enabled": false}', '{"enabled": true}'
          from generate_series(1, ${historyRows} / 2) n
          join (select row_number() over () as place, * from rule) rule on place = 1 + n % (select count(*) from rule)) changed`)
  await owner.query(`insert into link_history (link_history_account, link_history_owner, link_history_field, link_history_kind,
      link_history_target, link_history_action, link_history_position, link_history_at)
    select link_account, link_owner, link_field, link_kind, link_target, 'added', 1, ${past('n')}
      from generate_series(1, ${historyRows}) n
      join (select row_number() over () as place, * from link) link on place = 1 + n % (select count(*) from link)`)
  await owner.query('analyze event; analyze history; analyze link_history; analyze link')
}
