import { assumeAccount, assumptionMaxMinutes } from '@portcullis/contract/calls/assume-account'
import { roles } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { endOverdueAssumptions } from './end-assumptions.ts'
import { startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { database } = server

for (const [account, ref] of [
  [server.account, 'own'],
  [server.account, 'beside'],
  ['own', 'below'],
  ['below', 'deep'],
] as const) {
  await makeItem({ ask: server.in(account), collection: 'accounts', fields: { ref } })
}
const idOf = async (ref: string) => (await server.client.me(ref)).account?._id ?? ''
const below = await idOf('below')
const lasted = z.object({ seconds: z.int().min(0) })
const reason = 'Ticket 4711: a door that does not relock'

let root: TestUser
beforeEach(async () => {
  root = await server.signIn(server.email, 'own')
})

const begin = (account = below, body: unknown = { reason }, person = root) =>
  person.ask('POST', `/api/accounts/${account}/assume`, { body })
const end = (account = below, person = root) => person.ask('POST', `/api/accounts/${account}/assume/end`)
const inside = (account = 'below') => ({ headers: { 'x-js-assume-account': account } })
const makeSite = (account?: string) =>
  root.ask('POST', '/api/sites', { ...inside(account), body: { name: 'Oslo', timeZone: 'Europe/Oslo' } })

/** The entries of one assumption in the account's audit log, oldest first. */
async function logOf(assumption: unknown, account = 'below') {
  const query = new URLSearchParams({
    filter: JSON.stringify({ assumption }),
    sort: JSON.stringify({ prop: 'at', dir: 'asc' }),
  })
  return (await server.in(account)('GET', `/api/auditLogs?${query.toString()}`)).items
}

describe('a hyper user who gives a reason', () => {
  test('§6 the audit log has the start, each change and the end, with both identities and the reason', async () => {
    const begun = await begin(below, { reason: `  ${reason} ` })
    expect(begun.status).toBe(200)
    expect(assumeAccount.output.strict().parse(begun.json)).toMatchObject({ ref: 'below', reason })
    const me = await root.ask('GET', '/api/users/me', inside())
    const { since, until } = begun.item
    expect(me.json).toMatchObject({ account: { ref: 'below' }, assumption: { reason, since, until } })
    const site = await makeSite()
    expect(site.status).toBe(201)
    const { seconds } = lasted.parse((await end()).json)
    const both = { actor: server.userId, assumedAccount: below, account: below, assumption: begun.item._id, reason }
    expect(await logOf(begun.item._id)).toMatchObject([
      { ...both, _id: begun.item._id, action: 'assume', after: { from: await idOf('own'), address: '127.0.0.1' } },
      { ...both, action: 'create', item: site.item._id },
      { ...both, action: 'leave', after: { endedBy: 'stopped', seconds } },
    ])
  })

  test('gets the end time, an hour later, when the header is refused and the end is logged', async () => {
    const begun = await begin()
    const { since, until } = begun.item
    expect(Date.parse(String(until)) - Date.parse(String(since))).toBe(assumptionMaxMinutes * 60_000)
    await age(begun.item._id)
    const refused = await makeSite()
    expect([refused.status, refused.error.code]).toEqual([403, 'assumption_ended'])
    await database.asSystem((tx) => endOverdueAssumptions(tx))
    expect((await logOf(begun.item._id)).at(-1)).toMatchObject({
      action: 'leave',
      after: { endedBy: 'time', seconds: 3600 },
    })
  })

  test('starts again after an end, with a new reason', async () => {
    const first = await begin()
    await age(first.item._id)
    const second = await begin(below, { reason: 'The same door once more' })
    expect(second.item._id).not.toBe(first.item._id)
    expect((await makeSite()).status).toBe(201)
    const actions = async (id: unknown) => (await logOf(id)).map(({ action }) => action)
    expect([await actions(first.item._id), await actions(second.item._id)]).toEqual([
      ['assume', 'leave'],
      ['assume', 'create'],
    ])
  })

  test('starts it once from twenty tabs at once: all get the open one', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) => begin(below, { reason: `${reason}, tab ${at}` })),
    )
    const [first] = all
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(all.map(({ json }) => json)).toEqual(all.map(() => first?.json))
    expect(await logOf(first?.item._id)).toHaveLength(1)
  })

  test('can end it twice, or where none is open, without error', async () => {
    await begin()
    lasted.parse((await end()).json)
    for (const account of [below, 'below', 'beside', 'nowhere', 'zebra']) {
      const again = await end(account)
      expect([again.status, again.json], account).toEqual([200, { seconds: null }])
    }
  })

  test('is refused inside the account and below after the end, until it is started again', async () => {
    await begin()
    expect((await makeSite('deep')).status).toBe(201)
    await end()
    for (const account of ['below', 'deep']) {
      expect((await makeSite(account)).error.code, account).toBe('assumption_ended')
    }
    expect((await root.in('below')('GET', '/api/sites')).status).toBe(200)
    await begin()
    expect((await makeSite()).status).toBe(201)
  })

  test('records the reason for changes below the account too', async () => {
    const begun = await begin()
    const site = await makeSite('deep')
    expect(await logOf(begun.item._id, 'deep')).toMatchObject([
      { item: site.item._id, assumedAccount: await idOf('deep'), reason },
    ])
  })

  test('ends it by signing out, and the end is logged', async () => {
    const begun = await begin()
    await root.ask('POST', '/api/auth/logout')
    await database.asSystem((tx) => endOverdueAssumptions(tx))
    expect((await logOf(begun.item._id)).at(-1)).toMatchObject({ action: 'leave', after: { endedBy: 'session' } })
    expect((await makeSite()).status).toBe(401)
  })

  test('may act inside a suspended account, for inspection before it is restored', async () => {
    const account = await makeItem({ ask: server.in('own'), collection: 'accounts', fields: { ref: 'asleep' } })
    await server.in('own')('POST', `/api/accounts/${account._id}/suspend`)
    expect((await begin(account._id)).status).toBe(200)
    expect((await makeSite('asleep')).status).toBe(201)
  })

  test('cannot undo the entry of the start', async () => {
    const begun = await begin()
    const undone = await server.in('below')('POST', `/api/auditLogs/${begun.item._id}/undo`)
    expect([undone.status, undone.error.code]).toEqual([422, 'nothing_to_undo'])
  })

  test('cannot start or end one from within another: there are no chains', async () => {
    await begin()
    const deep = await idOf('deep')
    const options = { ...inside(), body: { reason } }
    for (const path of [`/api/accounts/${deep}/assume`, `/api/accounts/${deep}/assume/end`]) {
      expect((await root.ask('POST', path, options)).error.code, path).toBe('already_acting')
    }
  })
})

describe('a session that is no longer fresh', () => {
  beforeEach(() =>
    database.asSystem((tx) =>
      tx.run(sql`update session set session_confirmed_at = now() - interval '2 hours'
        where session_person = ${server.userId}`),
    ),
  )

  test('is refused with the header alone, for reading and writing', async () => {
    const answers = [await makeSite(), await makeSite('deep'), await root.ask('GET', '/api/sites', inside())]
    expect(answers.map(({ status, error }) => [status, error.code])).toEqual(
      answers.map(() => [403, 'fresh_sign_in_needed']),
    )
  })

  test('acts inside an account if it started with a reason while it was fresh', async () => {
    root = await server.signIn(server.email, 'own')
    const begun = await begin()
    await database.asSystem((tx) =>
      tx.run(sql`update session set session_confirmed_at = now() - interval '50 minutes'
        where session_person = ${server.userId}`),
    )
    const site = await makeSite()
    expect(site.status).toBe(201)
    expect((await root.ask('GET', '/api/sites', inside())).status).toBe(200)
    expect(await logOf(begun.item._id)).toMatchObject([{ action: 'assume' }, { action: 'create', reason }])
  })
})

test.each([
  {},
  { reason: '' },
  { reason: 'ab' },
  { reason: '  ab  ' },
  { reason: 'x'.repeat(501) },
  { reason: 4711 },
  { reason, more: true },
])('a reason has 3 to 500 characters and is the only field: %j', async (body) => {
  const answer = await begin(below, body)
  expect([answer.status, answer.error.code]).toEqual([400, 'bad_request'])
  expect(Object.keys(answer.error.fields)).toEqual(['more' in body ? 'more' : 'reason'])
})

test('accounts not below and unknown ones are refused alike, before the reason is checked', async () => {
  const absent = await root.in('nowhere')('GET', '/api/sites')
  for (const account of [server.account, 'own', 'beside', 'nowhere', await idOf(server.account), await idOf('own')]) {
    for (const body of [{ reason }, {}]) {
      const answer = await begin(account, body)
      expect([answer.status, answer.error], account).toEqual([403, absent.error])
    }
  }
})

test.each(roles)('§6 %s is refused without hyper rights, whatever their role there', async (role) => {
  const person = await server.signInAs({ role, account: 'own' })
  const absent = await person.in('nowhere')('GET', '/api/sites')
  for (const account of [below, 'below', 'beside', 'nowhere']) {
    const answer = await begin(account, { reason }, person)
    expect([answer.status, answer.error], account).toEqual([403, absent.error])
  }
})

test('ending it in one session leaves other sessions of the user unaffected', async () => {
  await begin()
  await end()
  root = await server.signIn(server.email, 'own')
  expect((await makeSite()).status).toBe(201)
})

/** Moves the start of an assumption back by an hour. */
async function age(id: string) {
  await database.asSystem((tx) =>
    tx.run(sql`update assumption set assumption_since = now() - interval '1 hour', assumption_until = now()
      where assumption_id = ${id}`),
  )
}
