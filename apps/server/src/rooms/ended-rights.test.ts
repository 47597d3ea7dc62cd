import { engravedNumber } from '@portcullis/domain/cards/i-button'
import { Live, type LiveState } from '@portcullis/client/live'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startOwnServer, type TestUser } from '../test-server.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startAnotherServer } from '../test-servers.ts'

const server = await startOwnServer()
afterAll(server.stop)
const room = 'site:below:*'

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'above' } })
await makeItem({ ask: server.in('above'), collection: 'accounts', fields: { ref: 'below' } })
const change = (query: Sql) => server.database.asSystem((tx) => tx.run(query))

type End = {
  account?: string
  by: (person: TestUser) => Promise<unknown>
  expectedNotice: [string, unknown]
  undo?: () => Promise<unknown>
}
const left = (code: string): [string, unknown] => ['left', { room, code }]
const ended: [string, unknown] = ['ended', { code: 'session_ended' }]

const ends: Record<string, End> = {
  'a role that is lowered': {
    by: ({ userId }) => server.in('below')('PATCH', `/api/users/${userId}`, { body: { role: 'appUser' } }),
    expectedNotice: left('forbidden'),
  },
  'a suspended user': {
    by: ({ userId }) => server.in('below')('PATCH', `/api/users/${userId}`, { body: { status: 'suspended' } }),
    expectedNotice: ended,
  },
  'a membership that is ended': {
    by: ({ userId }) => change(sql`delete from membership where membership_user = ${userId}`),
    expectedNotice: left('account_refused'),
  },
  'a membership that runs out by the clock': {
    by: ({ userId }) =>
      change(sql`update membership set membership_valid_until = clock_timestamp() + interval '1 second'
        where membership_user = ${userId}`),
    expectedNotice: left('account_refused'),
  },
  'a deleted user': {
    by: ({ userId }) => server.in('below')('DELETE', `/api/users/${userId}`),
    expectedNotice: ended,
  },
  'a former hyper user': {
    account: 'main',
    by: ({ userId }) => change(sql`update person set person_hyper = false where person_id = ${userId}`),
    expectedNotice: left('forbidden'),
  },
  'a log-out': { by: ({ ask }) => ask('POST', '/api/auth/logout'), expectedNotice: ended },
  'twelve hours of a session': {
    by: ({ userId }) =>
      change(sql`update session set session_created_at = now() - interval '12 hours' where session_person = ${userId}`),
    expectedNotice: ended,
  },
  'a suspended account': {
    by: () => setStatus('below', 'suspended'),
    expectedNotice: ended,
    undo: () => setStatus('below', 'active'),
  },
  'a suspended account above': {
    by: () => setStatus('above', 'suspended'),
    expectedNotice: ended,
    undo: () => setStatus('above', 'active'),
  },
  'an account that was moved away': {
    account: 'above',
    by: () => change(sql`delete from account_closure where ${between}`),
    expectedNotice: left('account_refused'),
    undo: () =>
      change(sql`insert into account_closure select account_key, (select account_key from account where
      account_ref = 'below'), 1 from account where account_ref = 'above'`),
  },
}

const between = sql`account_closure_ancestor = (select account_key from account where account_ref = 'above')
  and account_closure_descendant = (select account_key from account where account_ref = 'below')`

test.each(Object.entries(ends))(
  '§2 %s ends delivery at once, on every server, and the browser is notified',
  async (_, end) => {
    const { by, expectedNotice, account = 'below', undo } = end
    const other = await startAnotherServer(server.databaseUrl)
    const person = await server.signInAs({ role: account === 'main' ? 'appUser' : 'admin', account })
    if (account === 'main') await change(sql`update person set person_hyper = true where person_id = ${person.userId}`)
    const urls = [server.url, other.url]
    const witnesses = await Promise.all(urls.map((url) => connectionAt(url, server.headers)))
    const connections = await Promise.all(urls.map((url) => connectionAt(url, person.headers)))
    await receivesSave(connections)

    await by(person)
    if (undo) onTestFinished(async () => void (await undo()))
    if (end === ends['a membership that runs out by the clock']) await arrives()
    // What is committed from now on does not reach them, not even what precedes the notice.
    const id = await receivesSave(witnesses)
    for (const connection of connections) expect(connection.of(id)).toEqual([])
    await arrives()
    for (const connection of connections)
      if (expectedNotice === ended) await expect.poll(connection.isConnected).toBe(false)

    async function arrives() {
      for (const connection of connections) await expect.poll(() => connection.notices).toContainEqual(expectedNotice)
    }

    async function receivesSave(all: typeof connections) {
      const { _id } = await makeItem({ ask: server.in('below'), collection: 'sites' })
      for (const connection of all) await expect.poll(() => connection.of(_id)).toEqual(['site:save'])
      return _id
    }
  },
)

test('§2 a user who loses access to a single item receives its deletion', async () => {
  const person = await server.signInAs({ role: 'admin', account: 'below' })
  const { _id } = await makeItem({ ask: server.in('below'), collection: 'sites' })
  const connection = await connectionAt(server.url, person.headers)
  await connection.join(`site:below:${_id}`)
  await server.in('below')('PATCH', `/api/users/${person.userId}`, { body: { role: 'appUser' } })
  // Only now may its creation be sent.
  await expect.poll(() => connection.of(_id).at(-1)).toBe('site:remove')
})

test('§2 a user who sees more or less of a room than before stays in it and reads it again', async () => {
  const person = await server.signInAs({ role: 'accessManager', account: 'below' })
  const connection = await connectionAt(server.url, person.headers, 'credential:below:*')
  const become = (role: string) => server.in('below')('PATCH', `/api/users/${person.userId}`, { body: { role } })
  const lastNumber = async () => {
    const number = engravedNumber(Math.floor(Math.random() * 2 ** 40))
    const fields = { kind: 'iButton', number }
    const { _id } = await makeItem({ ask: server.in('below'), collection: 'credentials', fields })
    await expect.poll(() => connection.of(_id)).toEqual(['credential:save'])
    return connection.received.findLast(({ body }) => body._id === _id)?.body['number'] === number ? 'shown' : 'hidden'
  }
  expect(await lastNumber()).toBe('shown')
  await become('accountManager')
  expect(await lastNumber()).toBe('hidden')
  await become('admin')
  expect(await lastNumber()).toBe('shown')
  const refetches = connection.notices.filter(([notice]) => notice === 'refetch')
  expect(refetches).toHaveLength(2)
  expect(refetches[0]).toMatchObject(['refetch', { room: 'credential:below:*' }])
  expect(connection.notices.filter(([notice]) => notice === 'rights')).toHaveLength(2)
})

test('§2 a program joins its rooms again as soon as it may, and reads them again when its rights shrink', async () => {
  const person = await server.signInAs({ role: 'admin', account: 'below' })
  const live = new Live({ baseUrl: server.url, appVersion: 'test', headers: person.headers })
  onTestFinished(() => live.close())
  const looks: number[] = []
  const rights: string[] = []
  const look = async () => looks.push((await person.ask('GET', '/api/sites')).status)
  live.follow({ entity: 'site', accountRef: 'below', onSave() {}, onRemove() {}, onGap: () => void look() })
  live.watchRights(() => rights.push('changed'))
  await expect.poll(() => looks).toEqual([200])
  const become = (role: string) => server.in('below')('PATCH', `/api/users/${person.userId}`, { body: { role } })
  await become('appUser')
  await expect.poll(() => looks).toEqual([200, 403])
  await expect.poll(() => rights).toEqual(['changed'])
  await become('reportingUser')
  await expect.poll(() => looks).toEqual([200, 403, 200])
  await expect.poll(() => rights).toEqual(['changed', 'changed'])
})

test('§2 a program whose session has ended is refused for good', async () => {
  const person = await server.signInAs({ role: 'admin', account: 'below' })
  const live = new Live({ baseUrl: server.url, appVersion: 'test', headers: person.headers })
  onTestFinished(() => live.close())
  const states: LiveState[] = []
  live.watch((state) => states.push(state))
  live.follow({ entity: 'site', accountRef: 'below', onSave() {}, onRemove() {}, onGap() {} })
  await expect.poll(() => live.state).toBe('live')
  await person.ask('POST', '/api/auth/logout')
  await expect.poll(() => live.state).toBe('ended')
  expect(states).toEqual(['live', 'ended'])
})

test('a suspended account is closed to its own users and those below, in every call, and open from above', async () => {
  const [own, below, above] = await Promise.all([
    server.signInAs({ role: 'admin', account: 'above' }),
    server.signInAs({ role: 'admin', account: 'below' }),
    server.signInAs({ role: 'admin', account: 'main' }),
  ])
  const codes = async () => {
    const answers = [own, below, above].map(async ({ in: inAccount }) => inAccount('below')('GET', '/api/sites'))
    return (await Promise.all(answers)).map(({ error }) => error.code)
  }
  expect(await codes()).toEqual(['', '', ''])
  await setStatus('above', 'suspended')
  onTestFinished(() => setStatus('above', 'active'))
  expect(await codes()).toEqual(['session_ended', 'session_ended', ''])
})

async function setStatus(ref: string, status: string) {
  await change(sql`update account set account_status = ${status} where account_ref = ${ref}`)
}

async function connectionAt(url: string, headers: Record<string, string>, name = room) {
  const connection = await connectTestSocket({ url, headers })
  onTestFinished(connection.close)
  expect(await connection.join(name)).toBe('ok')
  return connection
}
