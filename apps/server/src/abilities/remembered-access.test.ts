import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { z } from 'zod'
import { treeLocks } from '../history/lock-tree.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { pruneEpochs } from './access-proof.ts'
import { makeRememberedAccess } from './remembered-access.ts'

const server = await startTestServer()
afterAll(server.stop)

const make = (account: string, fields: Record<string, unknown>) =>
  makeItem({ ask: server.in(account), collection: 'accounts', fields })
await make(server.account, { ref: 'north' })
const farNorth = await make('north', { ref: 'far-north' })

const reads = ['sites', 'sites/count', 'sites/aggregate?by=["name"]', `sites/${farNorth._id}`, 'users/me']

/** Makes every kind of request that may be answered from the cache. */
async function outcomes({ ask }: Pick<TestUser, 'ask'>) {
  const answers = []
  for (const path of reads) answers.push(await ask('GET', `/api/${path}`))
  return answers.map(({ status, error }) => error.code || String(status))
}

const allowed = ['200', '200', '200', 'not_found', '200']
const all = (code: string) => reads.map(() => code)

const change = (query: Sql) => server.database.asSystem((tx) => tx.run(query))

describe('a right that ended without the knowledge of the server that remembers it is refused at the next request:', () => {
  test.each<[string, (user: TestUser) => Promise<unknown>, string[]]>([
    [
      'the session',
      ({ userId }) => change(sql`update session set session_ended_at = now() where session_person = ${userId}`),
      all('session_ended'),
    ],
    [
      'the twelve hours of the session',
      ({ userId }) =>
        change(
          sql`update session set session_created_at = now() - interval '13 hours' where session_person = ${userId}`,
        ),
      all('session_ended'),
    ],
    [
      'the membership',
      ({ userId }) => change(sql`delete from membership where membership_user = ${userId}`),
      [...all('account_refused').slice(1), '200'],
    ],
    [
      'its status',
      ({ userId }) =>
        change(sql`update membership set membership_status = 'suspended' where membership_user = ${userId}`),
      all('session_ended'),
    ],
    [
      'its role',
      ({ userId }) => change(sql`update membership set membership_role = 'appUser' where membership_user = ${userId}`),
      [...all('forbidden').slice(1), '200'],
    ],
  ])('%s', async (_name, end, refused) => {
    const user = await server.signInAs({ role: 'admin', account: 'north' })
    expect(await outcomes(user)).toEqual(allowed)
    await end(user)
    expect(await outcomes(user)).toEqual(refused)
  })

  test('and nothing is changed by it', async () => {
    const user = await server.signInAs({ role: 'admin', account: 'north' })
    const site = await makeItem({ ask: user.ask, collection: 'sites' })
    await change(sql`update membership set membership_role = 'reportingUser' where membership_user = ${user.userId}`)
    const body = { name: 'Too late', timeZone: 'UTC' }
    const changes = [
      await user.ask('POST', '/api/sites', { body }),
      await user.ask('PATCH', `/api/sites/${site._id}`, { body }),
      await user.ask('DELETE', `/api/sites/${site._id}`),
    ]
    expect(changes.map(({ error }) => error.code)).toEqual(changes.map(() => 'forbidden'))
    expect((await user.ask('GET', '/api/sites')).items).toEqual([site])
  })

  test('the place of the account in the tree', async () => {
    const user = await server.signInAs({ role: 'admin', account: server.account })
    const below = { ask: user.in('far-north') }
    expect(await outcomes(below)).toEqual(allowed)
    const keys = sql`(select account_key from account where account_ref in ('north', 'far-north'))`
    const root = await server.keyOf(server.account)
    const taken = sql`delete from account_closure where account_closure_ancestor = ${root} and account_closure_descendant in ${keys}`
    await change(taken)
    onTestFinished(async () => {
      await change(sql`insert into account_closure select ${root}, account_closure_descendant, account_closure_depth + 1
        from account_closure join account on account_key = account_closure_ancestor where account_ref = 'north'`)
    })
    expect(await outcomes(below)).toEqual(all('account_refused'))
  })

  test('the name by which the account was requested', async () => {
    const { _id } = await make(server.account, { ref: 'before' })
    const user = await server.signInAs({ role: 'admin', account: 'before' })
    expect(await outcomes(user)).toEqual(allowed)
    await change(sql`update account set account_ref = 'after' where account_id = ${_id}`)
    await make(server.account, { ref: 'before' })
    expect(await outcomes(user)).toEqual(all('account_refused'))
  })
})

test('a membership that ends by the clock also ends for cached rights', async () => {
  const user = await server.signInAs({ role: 'admin', account: 'north' })
  // Long enough for the first answers, however slow the machine is.
  for (let seconds = 2, isInTime = false; !isInTime; seconds *= 2) {
    await change(sql`update membership set membership_valid_until = clock_timestamp() + ${seconds} * interval '1 second'
      where membership_user = ${user.userId}`)
    const since = performance.now()
    const before = await outcomes(user)
    isInTime = performance.now() - since < seconds * 1_000
    if (isInTime) expect(before).toEqual(allowed)
  }
  await expect.poll(() => outcomes(user)).toEqual([...all('account_refused').slice(1), '200'])
})

test('a new right applies at the next request', async () => {
  const user = await server.signInAs({ role: 'appUser', account: 'north' })
  expect((await user.ask('GET', '/api/sites')).error.code).toBe('forbidden')
  await change(sql`update membership set membership_role = 'admin' where membership_user = ${user.userId}`)
  expect(await outcomes(user)).toEqual(allowed)
})

test('a new account below another is visible from above at the next request', async () => {
  const everywhere = { headers: { 'x-js-all-accounts': 'true' } }
  const user = await server.signInAs({ role: 'admin', account: 'north' })
  const total = async () => (await user.ask('GET', '/api/accounts', everywhere)).page['totalElements']
  const before = Number(await total())
  await make('north', { ref: 'newcomer' })
  expect(await total()).toBe(before + 1)
})

test('rights cached for one account are not used for another one or for all accounts', async () => {
  const user = await server.signInAs({ role: 'admin', account: 'north' })
  const site = await makeItem({ ask: server.in('far-north'), collection: 'sites' })
  const ids = async (account: string, headers = {}) =>
    (await user.in(account)('GET', '/api/sites?size=500', { headers })).items.map(({ _id }) => _id)
  for (let round = 0; round < 2; round++) {
    expect(await ids('north')).not.toContain(site._id)
    expect(await ids('far-north')).toContain(site._id)
    expect(await ids('north', { 'x-js-all-accounts': 'true' })).toContain(site._id)
  }
})

test('epochs are deleted after a day', async () => {
  const owner = new pg.Client(server.databaseUrl)
  await owner.connect()
  await owner.query(`insert into authorisation_epoch (authorisation_epoch_person, authorisation_epoch_at)
    values (gen_random_uuid(), now() - interval '25 hours')`)
  await owner.end()
  const stored = (when: Sql) => change(sql`select from authorisation_epoch where authorisation_epoch_at ${when}`)
  const recent = await stored(sql`> now() - interval '1 hour'`)
  expect(recent).toBeGreaterThan(0)
  expect(await pruneEpochs(server.database)).toBe(1)
  expect(await stored(sql`> now() - interval '1 hour'`)).toBe(recent)
})

test('§2 a change that waited while its right ended is not made', async () => {
  const user = await server.signInAs({ role: 'admin' })
  const { _id: site } = await makeItem({ ask: server.ask, collection: 'sites' })
  const path = `/api/sites/${site}`
  const { waiting, release } = await holdTree()
  const requests = [user.ask('PATCH', path, { body: { name: 'Changed too late' } }), user.ask('DELETE', path)]
  await expect.poll(waiting).toBe(requests.length)
  await change(sql`delete from membership where membership_user = ${user.userId}`)
  release()
  for (const { error } of await Promise.all(requests)) expect(error.code).toBe('account_refused')
  expect((await server.ask('GET', path)).item['version']).toBe(1)
})

/** Holds the lock of the tree of `main` until it is released, so that every change in the tree waits. */
async function holdTree() {
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const key = await server.keyOf(server.account)
  const holding = server.database.asSystem(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${treeLocks}, account_root) from account where account_key = ${key}`)
    held.resolve()
    await released.promise
  })
  onTestFinished(async () => {
    released.resolve()
    await holding
  })
  await held.promise
  return {
    release: released.resolve,
    /** How many transactions wait for it. */
    waiting: () =>
      server.database.asSystem(async (tx) => {
        const locks = sql`select count(*)::int as count from pg_locks
          where locktype = 'advisory' and classid = ${treeLocks} and not granted
            and database = (select oid from pg_database where datname = current_database())`
        return (await tx.first(z.object({ count: z.int() }), locks))?.count
      }),
  }
}

test('the rights unused for the longest time are removed first', () => {
  const person = { _id: '', name: '', hyper: false }
  const access = { person, assumed: null, role: null, inherited: false, rules: [], freshUntil: null }
  const account = { _id: '', key: 1, ref: '', name: '', root: 1, defaultTimeZone: 'UTC' }
  const proof = { tokenHash: Buffer.of(), person: '', accounts: [], since: '', until: '' }
  const remembered = makeRememberedAccess()
  const accounts = { subtree: [1], covered: [1], reads: [1] }
  const remember = (key: string) => remembered.set(key, { ...access, ...accounts, account, proof })
  for (let index = 0; index < 2_000; index++) remember(`${index}`)
  expect(remembered.get('0')).toBeDefined()
  remember('one more')
  expect(['0', '1', '2', 'one more'].map((key) => remembered.get(key) !== undefined)).toEqual([true, false, true, true])
})
