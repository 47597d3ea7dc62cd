import type pg from 'pg'
import { compiled, startFilledServer } from './filled-server.ts'
import { median, quantile } from './median.ts'
import { databaseMs, processMs } from './processor-time.ts'

/**
 * Measures the call for a page of Manage Access by user and by door: the rules of its rows, with the numbers of doors and users that they open
 * now. The last kind of page has only doors that all users may open. Server and client share one process.
 *   npm run bench:views -- [people] [units] [rules of each site] [pages]
 */
const [people = 75_000, units = 625, rulesOfSite = 8, pages = 60] = process.argv.slice(2).map(Number)
const goalMs = 150
const size = 20

const stops: (() => Promise<unknown>)[] = []
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const { owner, client } = await startFilledServer({ people, units, add: addRules, stops })
  await compiled(owner)
  const idsOf = async (query: string) => (await owner.query<{ id: string }>(query)).rows.map(({ id }) => id)
  console.log(`\n${people} users, ${units * 4} doors, ${units * rulesOfSite + 1} rules; ${pages} pages of ${size} each`)
  const someUsers = await idsOf(
    `select person_id as id from resident join person on person_id = person order by md5(person_name) limit ${pages * size}`,
  )
  const someDoors = await idsOf(`select door_id as id from door order by md5(door_id::text) limit ${pages * size}`)
  const entrances = await idsOf(`select door_id as id from door where door_name = 'Entrance' limit ${size}`)
  await measured('by user', owner, (at) => client.rules.ofUsers(pageOf(someUsers, at)))
  await measured('by door', owner, (at) => client.rules.ofDoors(pageOf(someDoors, at)))
  await measured(`by door, each open to all ${people} users`, owner, () => client.rules.ofDoors(entrances))
}

function pageOf(ids: readonly string[], at: number) {
  return ids.slice(at * size, (at + 1) * size)
}

async function measured(name: string, owner: pg.Client, read: (at: number) => Promise<unknown>) {
  const before = { server: await processMs(process.pid), database: await databaseMs(owner) }
  const times: number[] = []
  for (let at = 0; at < pages; at += 1) {
    const since = performance.now()
    await read(at)
    times.push(performance.now() - since)
  }
  const server = ((await processMs(process.pid)) - before.server) / pages
  const database = ((await databaseMs(owner)) - before.database) / pages
  const p99 = quantile(times, 0.99)
  console.log(
    `  ${name}: median ${median(times).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, first ${times[0]?.toFixed(0)} ms`,
  )
  console.log(`    processor time of a page: ${server.toFixed(0)} ms here, ${database.toFixed(0)} ms in the database`)
  console.log(`    goal ${goalMs} ms for a page: ${p99 <= goalMs ? 'met' : 'MISSED'}`)
}

/** Further rules at each site, by day, and one for all users at 20 entrances. */
async function addRules(owner: pg.Client) {
  await owner.query(`
    create temporary table day as select uuidv7() as schedule;
    insert into schedule (schedule_id, schedule_account, schedule_name, schedule_windows, schedule_holiday_hours)
      select schedule, account_key, 'Day', '[{"days": [1, 2, 3, 4, 5, 6, 7], "start": "00:00", "end": "23:00"}]', '{"public": "closed", "company": "closed", "special": "asUsual"}'
        from day, account where account_ref = 'main';
    create temporary table further as
      select uuidv7() as id, key, n, team, (array_agg(door_id order by door_name))[1 + r % 4] as door
        from place join door on door_site = site, generate_series(1, ${rulesOfSite - 1}) r
       group by key, n, team, r;
    insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_direction, rule_enabled, rule_schedule)
      select id, key, 'Further ' || n, 'allow', 'both', true, schedule from further, day;
    insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select key, id, 'who', 'User Group', team from further union all select key, id, 'where', 'Door', door from further;
    create temporary table staff as select uuidv7() as team, uuidv7() as rule, account_key as key from account where account_ref = 'main';
    insert into user_group (user_group_id, user_group_account, user_group_name) select team, key, 'All staff' from staff;
    insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select staff.key, staff.team, 'members', 'users', person from staff, resident;
    insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_direction, rule_enabled)
      select rule, key, 'Entrances', 'allow', 'both', true from staff;
    update door set door_name = 'Entrance' from place where door_site = site and n <= 20 and door_name = 'Door 1';
    insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select key, rule, 'who', 'User Group', team from staff
      union all select key, rule, 'where', 'Door', door_id from staff, door where door_name = 'Entrance';
    analyze`)
}
