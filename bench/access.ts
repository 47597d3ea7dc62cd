import { rules } from '@portcullis/contract/collections/rules'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import type pg from 'pg'
import { compiled, startFilledServer } from './filled-server.ts'
import { median, quantile } from './median.ts'
import { databaseMs, processMs } from './processor-time.ts'

/**
 * Measures the first page of the users who can open a door and of the doors that a user can open, and who gains and who
 * loses access by a change to a rule and to a group of 10,000 users. Beside them, in turns, a bare select of 50 users by
 * name. Server and client share one process.
 *   npm run bench:access -- [people] [units] [rules] [requests]
 */
const [people = 75_000, units = 625, ruleCount = 5_000, requests = 100] = process.argv.slice(2).map(Number)
const staffCount = Math.min(10_000, people)
const size = 50

const stops: (() => Promise<unknown>)[] = []
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const { owner, client } = await startFilledServer({ people, units, add: addRules, stops })
  const [doors, users, teamRules] = [
    await idsOf(owner, 'door'),
    await idsOf(owner, 'person'),
    await idsOf(owner, 'rule'),
  ]
  const [staff] = (await client.of(userGroups).list({ filter: { name: 'Staff' } })).items
  const [staffRule] = (await client.of(rules).list({ filter: { name: 'Staff' } })).items
  if (!staff || !staffRule) throw new Error('the policy lacks the group of all staff')
  await compiled(owner)
  const { access } = await client.of(userGroups).preview({ id: staff._id, fields: { members: [] } })
  const losing = access?.lost.cardholders ?? 0
  if (losing < staffCount / 2) throw new Error(`only ${losing} of ${staffCount} lose access`)
  console.log(`\n${people} users, ${doors.length} doors, ${ruleCount} rules; ${requests} requests of each kind`)
  await measure('who can open a door', 150, (turn) => client.explorer.doorAccess(at(doors, turn), { size }))
  await measure('what a user can open', 150, (turn) => client.explorer.userAccess(at(users, turn), { size }))
  await measure('a rule is disabled, preview', 500, (turn) =>
    client.of(rules).preview({ id: at(teamRules, turn), fields: { enabled: false } }),
  )
  await measure(`the rule of ${staffCount} users gets other hours, preview`, 2_000, (turn) =>
    client.of(rules).preview({ id: staffRule._id, fields: { direction: turn % 2 === 0 ? 'entry' : 'exit' } }),
  )
  await measure(`a group of ${staffCount} users is emptied, preview`, 2_000, () =>
    client.of(userGroups).preview({ id: staff._id, fields: { members: [] } }),
  )

  async function measure(name: string, goalMs: number, request: (turn: number) => Promise<unknown>) {
    const times: number[] = []
    const bare: number[] = []
    let [server, database] = [0, 0]
    for (let turn = 0; turn < requests; turn += 1) {
      const before = { server: await processMs(process.pid), database: await databaseMs(owner) }
      times.push(await timed(() => request(turn)))
      server += (await processMs(process.pid)) - before.server
      database += (await databaseMs(owner)) - before.database
      bare.push(await timed(() => owner.query(`select * from person order by person_name, person_id limit ${size}`)))
    }
    const p99 = quantile(times, 0.99)
    console.log(
      `  ${name}: median ${median(times).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (goal ${goalMs} ms: ${p99 <= goalMs ? 'met' : 'MISSED'}), ` +
        `${(median(times) / median(bare)).toFixed(1)} times bare; ` +
        `processor time ${(server / requests).toFixed(0)} ms here, ${(database / requests).toFixed(0)} ms in the database`,
    )
  }
}

function at(ids: readonly string[], turn: number) {
  return ids[(turn * 7919) % ids.length] ?? ''
}

async function timed(work: () => Promise<unknown>) {
  const since = performance.now()
  await work()
  return performance.now() - since
}

async function idsOf(owner: pg.Client, table: 'door' | 'person' | 'rule') {
  const { rows } = await owner.query<{ id: string }>(`select ${table}_id as id from ${table} order by ${table}_id`)
  return rows.map(({ id }) => id)
}

/** Up to the number of rules: each team at a further site, by one of 50 schedules, one rule in twenty denies. A group of all staff. */
async function addRules(owner: pg.Client) {
  await owner.query(`
    create temporary table hours as select n, uuidv7() as id from generate_series(0, 49) n;
    insert into schedule (schedule_id, schedule_account, schedule_name, schedule_windows, schedule_holiday_hours)
      select id, account_key, 'Hours ' || n,
             jsonb_build_array(jsonb_build_object('days', '[1, 2, 3, 4, 5]'::jsonb, 'start', lpad((6 + n % 4)::text, 2, '0') || ':00', 'end', '18:' || lpad(n::text, 2, '0'))),
             '{"public": "closed", "company": "asUsual", "special": "asUsual"}'
        from hours, account where account_ref = 'main';
    create temporary table further as
      select r, uuidv7() as rule, key, team, (r % 20 = 0) as denies, hours.id as schedule,
             (select site from place other where other.n = 1 + (place.n + 7 * r) % ${units}) as site
        from generate_series(1, ${Math.max(0, ruleCount - units - 1)}) r
        join place on place.n = 1 + r % ${units} join hours on hours.n = r % 50;
    insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_schedule, rule_direction, rule_enabled)
      select rule, key, 'Further ' || r, case when denies then 'deny' else 'allow' end, schedule, 'both', true from further;
    insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select key, rule, 'who', 'User Group', team from further union all select key, rule, 'where', 'Site', site from further;
    create temporary table staff as select uuidv7() as team, uuidv7() as rule, account_key as key from account where account_ref = 'main';
    insert into user_group (user_group_id, user_group_account, user_group_name) select team, key, 'Staff' from staff;
    insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select key, team, 'members', 'users', person from staff, (select person from resident order by p limit ${staffCount}) member;
    insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_schedule, rule_direction, rule_enabled)
      select rule, key, 'Staff', 'allow', (select id from hours where n = 0), 'both', true from staff;
    insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select staff.key, rule, 'who', 'User Group', team from staff
      union all select key, (select rule from staff), 'where', 'Site', site from place where n = 1;
    analyze`)
}
