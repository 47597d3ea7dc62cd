import pg from 'pg'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { readConfig } from '../config.ts'
import { startServer } from '../start-server.ts'
import { startOwnServer } from '../test-server.ts'
import { Database } from './database.ts'
import { loginIn, type Logins, loginsFrom } from './logins.ts'
import { migrate } from './migrate.ts'
import { dropLogins } from './prepare-logins.ts'
import { createTestDatabase } from './test-database.ts'
import { databaseIn } from './test-engine.ts'

const server = await startOwnServer()
const { databaseUrl, logins } = server
const owner = new pg.Client(databaseUrl)
const superuser = new pg.Client(databaseIn(inject('testAdminUrl'), new URL(databaseUrl).pathname.slice(1)))
const web = new pg.Client(logins.web)
const system = new pg.Client(logins.system)
const clients = [owner, superuser, web, system]
for (const client of clients) await client.connect()
afterAll(async () => {
  for (const client of clients) await client.end()
  await server.stop()
})

const refused = /permission denied|must be (owner|superuser)|cannot set|only roles with/i
const refusedToAll = [
  'set role portcullis',
  'set session authorization portcullis',
  'alter role current_user superuser',
  'alter role current_user createrole',
  'create role another',
  'grant portcullis to current_user',
  'select from pg_authid',
  'select pg_read_file($$PG_VERSION$$)',
  `copy (select 1) to program 'true'`,
  `copy (select 1) to '/tmp/portcullis-copied'`,
  'create table public.mine ()',
  'create temporary table mine ()',
  'create schema mine',
  'create function public.mine() returns int language sql as $$select 1$$',
  'create extension pg_trgm',
  'alter table site disable row level security',
  'alter table account_closure owner to current_user',
  'alter function next_policy_version(int) owner to current_user',
  'drop table site',
  'truncate event',
  'alter system set log_statement = $$none$$',
]

describe.each([
  { name: 'web', login: web, forbidden: ['set role portcullis_system', 'set role portcullis_web'] },
  { name: 'system', login: system, forbidden: ['set role portcullis_web', 'set role portcullis_system'] },
])('the $name login', ({ name, login, forbidden }) => {
  test.each([...refusedToAll, ...forbidden])('is refused: %s', async (statement) => {
    await expect(login.query(statement)).rejects.toThrow(refused)
  })

  test('keeps its role after every reset', async () => {
    for (const statement of ['reset role', 'set role none', 'reset session authorization', 'discard all']) {
      await login.query(statement)
      const { rows } = await login.query('select current_user as "user", session_user as "session"')
      const { user } = loginIn(name === 'web' ? logins.web : logins.system)
      expect(rows).toEqual([{ user, session: user }])
    }
  })
})

test.each([
  'insert into account_closure values (1, 1, 0)',
  'update account_closure set account_closure_depth = 0',
  'delete from account_closure',
  `insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
     values (1, 'doors', gen_random_uuid(), 'save', true)`,
  `update change set change_action = 'remove'`,
  'delete from change',
  'insert into policy values (1, 1)',
  'update policy set policy_version = 0',
  'delete from policy',
  `select nextval('change_change_id_seq')`,
  'select assert_in_scope(array[1])',
  'truncate policy',
])('the web login cannot write what only functions may: %s', async (statement) => {
  await expect(web.query(statement)).rejects.toThrow('permission denied')
})

test('the web login announces changes in the accounts of its transaction only', async () => {
  const change = (account: number) =>
    sql`select record_changes(array[${account}]::int[], '{doors}', array[gen_random_uuid()], '{save}', '{false}')`
  const own = await server.keyOf('main')
  const recorded = server.database.inAccounts([own], (tx) => tx.run(change(own)))
  expect(await recorded).toBe(1)
  const outside = server.database.inAccounts([own], (tx) => tx.run(change(own + 1)))
  await expect(outside).rejects.toThrow('A change names an account that the transaction does not see.')
})

test('the web login counts up the policy of the tree of its transaction only', async () => {
  const own = await server.keyOf('main')
  const insert = sql`insert into account (account_id, account_ref, account_name, account_default_time_zone)
    values (${uuidv7()}, 'other-tree', 'Other tree', 'UTC')`
  await server.database.asSystem((tx) => tx.run(insert))
  const other = await server.keyOf('other-tree')
  const versionOf = (root: number) => sql`select next_policy_version(${root})`
  expect(await server.database.inAccounts([own], (tx) => tx.run(versionOf(own)))).toBe(1)
  const outside = server.database.inAccounts([other], (tx) => tx.run(versionOf(own)))
  await expect(outside).rejects.toThrow('A policy has no account that the transaction sees.')
})

test('functions that run with the rights of their owner have a fixed search path, and an owner that owns nothing else', async () => {
  const { rows } = await owner.query(
    `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
        and not coalesce(proconfig::text ~ 'search_path=public, pg_temp', false)`,
  )
  expect(rows).toEqual([])
  const { rows: owned } = await owner.query(
    `select distinct classid::regclass::text as kind from pg_shdepend
      where refobjid = 'portcullis_system'::regrole and deptype = 'o'
        and dbid = (select oid from pg_database where datname = current_database())`,
  )
  expect(owned).toEqual([{ kind: 'pg_proc' }])
})

test('servers with the same key agree on the logins, and another key has others', () => {
  const secretKey = Buffer.alloc(32, 1)
  const one = loginsFrom({ databaseUrl, secretKey })
  expect(loginsFrom({ databaseUrl, secretKey })).toEqual(one)
  const other = loginsFrom({ databaseUrl, secretKey: Buffer.alloc(32, 2) })
  const users = [one.web, one.system, other.web, other.system].map((url) => loginIn(url).user)
  expect(new Set(users).size).toBe(4)
  expect(loginIn(one.web).password).not.toBe(loginIn(one.system).password)
})

test('the start repairs a login whose password was changed', async () => {
  const fresh = await freshDatabase()
  const changed = loginIn(fresh.logins.web).user
  await superuser.query(`alter role ${changed} password 'another one'`)
  await expect(answers(fresh.logins)).rejects.toThrow('password authentication failed')
  await migrate(fresh.databaseUrl, { logins: fresh.logins })
  expect(await answers(fresh.logins)).toBe(1)
})

test('many servers that start together create the logins once', async () => {
  const fresh = await freshDatabase({ prepare: false })
  const starts = Array.from({ length: 5 }, async () => {
    const another = await createTestDatabase()
    onTestFinished(another.drop)
    const secretKey = fresh.secretKey
    const own = loginsFrom({ databaseUrl: another.databaseUrl, secretKey })
    await migrate(another.databaseUrl, { logins: own })
    return answers(own)
  })
  expect(await Promise.all(starts)).toEqual([1, 1, 1, 1, 1])
})

test('a login that could become another role is refused, with an error that names the setting', async () => {
  const fresh = await freshDatabase()
  const { user } = loginIn(fresh.logins.web)
  const given: Logins = { ...fresh.logins, origin: 'settings' }
  await migrate(fresh.databaseUrl, { logins: given })
  await superuser.query(`grant portcullis_system to ${user}`)
  await expect(migrate(fresh.databaseUrl, { logins: given })).rejects.toThrow(
    /^DATABASE_WEB_URL: .*can also act as portcullis_system/,
  )
  await superuser.query(`revoke portcullis_system from ${user}; alter role ${user} createrole`)
  await expect(migrate(fresh.databaseUrl, { logins: given })).rejects.toThrow(/^DATABASE_WEB_URL: .*administrator/)
  await superuser.query(`alter role ${user} nocreaterole`)
  await owner.query(`revoke portcullis_web from ${user}`)
  await expect(migrate(fresh.databaseUrl, { logins: given })).rejects.toThrow(
    /^DATABASE_WEB_URL: .*not a member of portcullis_web/,
  )
  await migrate(fresh.databaseUrl, { logins: fresh.logins })
})

test('a server with the logins of its operator creates none', async () => {
  const fresh = await freshDatabase()
  const key = Buffer.alloc(32, 9)
  const settings = readConfig({
    DATABASE_URL: fresh.databaseUrl,
    DATABASE_WEB_URL: fresh.logins.web,
    DATABASE_SYSTEM_URL: fresh.logins.system,
    SECRET_KEY_FILE: `${inject('testFolder')}/secret.key`,
    DATA_DIR: inject('testFolder'),
    PORT: '0',
    DEMO: 'off',
    LOG_LEVEL: 'silent',
  })
  const { stop } = await startServer(settings, () => {})
  onTestFinished(stop)
  const { user } = loginIn(loginsFrom({ databaseUrl: fresh.databaseUrl, secretKey: key }).web)
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [user])
  expect(rowCount).toBe(0)
})

test('the logins of a key that is no longer used are dropped, and those of another key stay', async () => {
  const fresh = await freshDatabase()
  await dropLogins(fresh.databaseUrl, fresh.logins)
  await expect(answers(fresh.logins)).rejects.toThrow(/password authentication failed/)
  expect(await answers(logins)).toBe(1)
})

test('an owner that may not create roles gets an error with the remedy', async () => {
  const fresh = await freshDatabase({ prepare: false })
  const name = `plain_${fresh.name}`
  await superuser.query(
    `create role ${name} login password 'plain'; grant portcullis_web, portcullis_system to ${name}`,
  )
  await superuser.query(`grant portcullis to ${name}`)
  onTestFinished(async () => void (await superuser.query(`drop role ${name}`)))
  const url = new URL(fresh.databaseUrl)
  url.username = name
  url.password = 'plain'
  await expect(migrate(url.href, { logins: { ...fresh.logins } })).rejects.toThrow(
    new RegExp(`^DATABASE_URL: ${name} cannot create the roles .*alter role ${name} createrole.*DATABASE_WEB_URL`),
  )
})

/** A database with logins of a key of its own, which are dropped afterwards. */
async function freshDatabase({ prepare = true } = {}) {
  const { databaseUrl: url, drop } = await createTestDatabase()
  const name = new URL(url).pathname.slice(1)
  const secretKey = Buffer.from(name.padEnd(32, '.'))
  const own = loginsFrom({ databaseUrl: url, secretKey })
  if (prepare) await migrate(url, { logins: own })
  onTestFinished(async () => {
    await drop()
    for (const each of [own.web, own.system]) await superuser.query(`drop role if exists ${loginIn(each).user}`)
  })
  return { databaseUrl: url, logins: own, name, secretKey }
}

/** The answers of both logins to a query. */
async function answers(own: Logins) {
  const database = new Database({ logins: own, connections: 1 })
  try {
    await database.asSystem((tx) => tx.run(sql`select 1`))
    return await database.inAccounts([], (tx) => tx.run(sql`select 1`))
  } finally {
    await database.close()
  }
}
