import { collections } from '@portcullis/contract/collections/registry'
import sql, { raw, type Sql } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tableOf } from '../query/columns.ts'
import { storeEvent } from '../collections/test-events.ts'
import { makeItem, written } from '../collections/test-items.ts'
import { storeLockdown } from '../collections/test-lockdowns.ts'
import { storeTask } from '../collections/test-tasks.ts'
import { startOwnServer } from '../test-server.ts'

const server = await startOwnServer()
afterAll(server.stop)
const { database } = server

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'one' } })
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'two' } })
const [one, two] = [await server.keyOf('one'), await server.keyOf('two')]
for (const account of ['one', 'two']) {
  const ask = server.in(account)
  for (const collection of written) await makeItem({ ask, collection })
  const door = await makeItem({ ask, collection: 'doors' })
  await makeItem({ ask, collection: 'doorGroups', fields: { members: [door._id] } })
  await storeEvent(database, { account: await server.keyOf(account) })
  await storeTask(database, { account: await server.keyOf(account) })
  await storeLockdown(database, { account: await server.keyOf(account) })
}

const denied = 'permission denied'
/** Runs as the role for users' requests, where only row level security protects the data. */
const attempt = (accounts: number[], statement: Sql) => database.inAccounts(accounts, (tx) => tx.run(statement))
const keysIn = (accounts: number[], statement: Sql) =>
  database.inAccounts(accounts, async (tx) =>
    (await tx.rows(z.object({ key: z.int() }), statement)).map(({ key }) => key),
  )

const scoped = [
  ...Object.values(collections).map((collection) => ({ ...tableOf(collection), name: collection.name })),
  ...['unit_state', 'door_state', 'link', 'link_history', 'history', 'membership'].map((name) => ({
    name,
    account: raw(`${name}_account`),
    source: raw(name),
  })),
]

describe.each(scoped)('$name', ({ account, source }) => {
  const all = sql`select distinct ${account} as key from ${source} order by key`

  test('shows rows of the accounts set, and no others', async () => {
    const below = await database.asSystem((tx) => tx.rows(z.object({ key: z.int() }), all))
    expect(below.map(({ key }) => key)).toEqual(expect.arrayContaining([one, two]))
    expect(await keysIn([one], all)).toEqual([one])
    expect(await keysIn([one, two], all)).toEqual([one, two])
  })

  test('shows nothing if no account is set', async () => {
    expect(await keysIn([], all)).toEqual([])
    expect(await keysIn([2_147_483_647], all)).toEqual([])
  })
})

test('accounts set for one transaction are not set for the next on the same connection', async () => {
  const visible = z.object({ accounts: z.string().nullable() })
  for (let again = 0; again < 30; again += 1) {
    await database.inAccounts([one], (tx) => tx.run(sql`select from site`))
    const row = await database.inAccounts([], (tx) =>
      tx.first(visible, sql`select current_setting('app.accounts', true) as accounts`),
    )
    expect(row?.accounts).toBe('{}')
  }
})

describe("the role for users' requests", () => {
  test('writes only into the accounts set', async () => {
    const site = (account: number) => sql`insert into site (site_id, site_account, site_name, site_time_zone)
      values (${uuidv7()}, ${account}, 'x', 'UTC')`
    expect(await attempt([one], site(one))).toBe(1)
    await expect(attempt([one], site(two))).rejects.toThrow('row-level security')
    await expect(attempt([one], sql`update site set site_account = ${two}`)).rejects.toThrow('row-level security')
    expect(await attempt([one], sql`update site set site_name = 'mine' where site_account = ${two}`)).toBe(0)
    expect(await attempt([one], sql`delete from credential where credential_account = ${two}`)).toBe(0)
  })

  test('sees users by membership, and changes them only in their home account', async () => {
    const person = (await makeItem({ ask: server.in('one'), collection: 'users' }))._id
    const find = sql`select person_name from person where person_id = ${person}`
    expect([await attempt([one], find), await attempt([two], find)]).toEqual([1, 0])
    await database.asSystem((tx) =>
      tx.run(sql`insert into membership (membership_user, membership_account) values (${person}, ${two})`),
    )
    expect(await attempt([two], find)).toBe(1)
    expect(await attempt([two], sql`update person set person_name = 'x' where person_id = ${person}`)).toBe(0)
    expect(await attempt([two], sql`delete from person where person_id = ${person}`)).toBe(0)
  })

  test.each([
    ['a password hash', sql`select person_password_hash from person`],
    ['a password hash in a condition', sql`select from person where person_password_hash like '$argon2%'`],
    ['everything about people', sql`select * from person`],
    ['setting a password', sql`update person set person_password_hash = 'x'`],
    ['becoming a hyper user', sql`update person set person_hyper = true`],
    [
      'making a hyper user',
      sql`insert into person (person_id, person_home, person_name, person_hyper) values (${uuidv7()}, ${one}, 'x', true)`,
    ],
    ['moving a person home', sql`update person set person_home = ${one}`],
    ['sessions', sql`select from session`],
    ['emails with invitations', sql`select from membership_mail`],
    ['counting an email with an invitation', sql`select count_membership_mail('x@y.example', 1)`],
    [
      'opening a session',
      sql`insert into session (session_token_hash, session_person) select '\\x00', person_id from person`,
    ],
    ['wrong passwords', sql`delete from sign_in_failure`],
    ['keys of units', sql`select from unit_secret`],
    ['configurations of units', sql`select from unit_config`],
    ['enrolment codes', sql`select from unit_enrolment`],
    ['marks of units', sql`select from unit_mark`],
    ['commands to units', sql`insert into unit_command select * from unit_command`],
    ['the outbox', sql`select from change`],
    ['emptying the outbox', sql`delete from change`],
    ['migrations', sql`select from migration`],
    ['an event of its own', sql`insert into event select * from event limit 1`],
    ['changing an event', sql`update event set event_outcome = 'granted'`],
    ['deleting an event', sql`delete from event`],
    ['deciding a request', sql`update task set task_status = 'Granted'`],
    ['changing history', sql`update history set history_actor = null`],
    ['deleting history', sql`delete from history`],
    ['emptying history', sql`truncate history`],
    ['history by its partition', sql`delete from history_default`],
    ['events by their partition', sql`select from event_default`],
    ['the state of doors', sql`update door_state set door_state_state = 'open'`],
    ['the state of units', sql`update unit_state set unit_state_applied_version = 1`],
    ['a table of its own', sql`create table public.mine ()`],
    ['disabling row level security', sql`alter table site disable row level security`],
  ])('has no right to: %s', async (_what, statement) => {
    await expect(attempt([one, two], statement)).rejects.toThrow(new RegExp(`${denied}|must be owner`))
  })

  test('owns nothing, is no superuser and does not bypass row level security', async () => {
    const role = z.object({ super: z.boolean(), bypass: z.boolean(), owned: z.number() })
    for (const name of ['portcullis_web', 'portcullis_system']) {
      const found = await database.asSystem((tx) =>
        tx.first(
          role,
          sql`select rolsuper as super, rolbypassrls as bypass,
                (select count(*) from pg_class where relowner = pg_roles.oid) as owned from pg_roles where rolname = ${name}`,
        ),
      )
      expect(found).toEqual({ super: false, bypass: false, owned: 0 })
    }
  })

  test('every table with an account has row level security, and users may read only these others', async () => {
    const rows = await database.asSystem((tx) =>
      tx.rows(
        z.object({ table: z.string() }),
        sql`select relname as table from pg_class
             where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
               and has_table_privilege('portcullis_web', oid, 'select') and not (relrowsecurity and relforcerowsecurity)
             order by relname`,
      ),
    )
    expect(rows.map(({ table }) => table)).toEqual(['account_closure', 'policy'])
  })
})
