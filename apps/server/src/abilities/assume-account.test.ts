import { request as plainRequest } from 'node:http'
import { roles } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

for (const [account, ref] of [
  [server.account, 'own'],
  [server.account, 'beside'],
  ['own', 'below'],
  ['below', 'deep'],
] as const) {
  await makeItem({ ask: server.in(account), collection: 'accounts', fields: { ref } })
}

const site = { name: 'Oslo', timeZone: 'Europe/Oslo' }
const path = '/api/sites'
const idOf = async (ref: string) => (await server.client.me(ref)).account?._id ?? ''
const assume = (account: string, more: Record<string, string> = {}) => ({
  headers: { 'x-js-assume-account': account, ...more },
})

describe('a hyper user who assumes an account below the current one', () => {
  test.each(['below', 'deep'])('acts inside it: %s', async (account) => {
    const made = await server.in('own')('POST', path, { ...assume(account), body: site })
    expect(made.status).toBe(201)
    expect(made.item['account']).toBe(await idOf(account))
    const inside = await server.in('own')('GET', `${path}/${made.item._id}`, assume(account))
    expect([inside.status, inside.json]).toEqual([200, made.json])
    expect((await server.in('own')('GET', `${path}/${made.item._id}`)).status).toBe(404)
    const me = await server.in('own')('GET', '/api/users/me', assume(account))
    expect(me.json).toMatchObject({ account: { ref: account } })
  })

  test('names it by its id as well', async () => {
    const made = await server.in('own')('POST', path, { ...assume(await idOf('below')), body: site })
    expect([made.status, made.item['account']]).toEqual([201, await idOf('below')])
  })

  test('reads it and what lies below it with x-js-all-accounts, and nothing above', async () => {
    const [above, at, under] = await Promise.all(
      ['own', 'below', 'deep'].map((account) => makeItem({ ask: server.in(account), collection: 'sites' })),
    )
    const wide = assume('below', { 'x-js-all-accounts': 'true' })
    const { items } = await server.in('own')('GET', `${path}?size=500`, wide)
    const ids = items.map(({ _id }) => _id)
    expect([above, at, under].map((item) => ids.includes(item?._id ?? ''))).toEqual([false, true, true])
  })

  test('records both identities in the history of every change, and the audit log shows them', async () => {
    const ask = server.in('own')
    const { item } = await ask('POST', path, { ...assume('below'), body: site })
    await ask('PATCH', `${path}/${item._id}`, { ...assume('below'), body: { name: 'Bergen' } })
    await ask('DELETE', `${path}/${item._id}`, assume('below'))
    const filter = JSON.stringify({ item: item._id })
    const log = await server.in('below')('GET', `/api/auditLogs?${new URLSearchParams({ filter }).toString()}`)
    const both = { actor: server.userId, account: await idOf('below'), assumedAccount: await idOf('below') }
    expect(log.items).toMatchObject([
      { ...both, action: 'delete' },
      { ...both, action: 'patch' },
      { ...both, action: 'create' },
    ])
    const stored = await server.database.asSystem((tx) =>
      tx.rows(
        z.object({ assumed: z.int() }),
        sql`select distinct history_assumed_account as assumed from history where history_item = ${item._id}`,
      ),
    )
    expect(stored).toEqual([{ assumed: await server.keyOf('below') }])
  })

  test('records one identity where no account was assumed', async () => {
    const made = await makeItem({ ask: server.in('below'), collection: 'sites' })
    const filter = JSON.stringify({ item: made._id })
    const log = await server.in('below')('GET', `/api/auditLogs?${new URLSearchParams({ filter }).toString()}`)
    expect(log.items).toMatchObject([{ assumedAccount: null }])
  })
})

test('an account that is not below, or that does not exist, is refused as absent, and nothing changes', async () => {
  const absent = await server.in('nowhere')('GET', path)
  expect(absent.status).toBe(403)
  for (const account of [server.account, 'beside', 'nowhere', await idOf(server.account), await idOf('own')]) {
    for (const [method, options] of [
      ['GET', {}],
      ['POST', { body: site }],
    ] as const) {
      const answer = await server.in('own')(method, path, { ...assume(account), ...options })
      expect([answer.status, answer.error], account).toEqual([403, absent.error])
    }
  }
})

test.each(roles)('no other role may: %s is refused as for an absent account, even with a role there', async (role) => {
  const person = await server.signInAs({ role, account: 'own' })
  const absent = await person.in('nowhere')('GET', path)
  for (const account of ['below', 'deep', 'beside', server.account, 'nowhere']) {
    const answer = await person.in('own')('GET', path, assume(account))
    expect([answer.status, answer.error], account).toEqual([403, absent.error])
  }
})

describe('invalid headers', () => {
  test.each([
    { 'x-js-account': 'own', 'x-js-assume-account': 'own' },
    { 'x-js-account': 'null', 'x-js-assume-account': 'below' },
    { 'x-js-account': 'own', 'x-js-assume-account': 'null' },
    { 'x-js-account': 'own', 'x-js-assume-account': '' },
    { 'x-js-account': 'own', 'x-js-assume-account': 'below,deep' },
    { 'x-js-account': 'own', 'x-js-assume-account': 'below, deep' },
    { 'x-js-account': 'own', 'x-js-assume-account': 'Below' },
    { 'x-js-account': 'own', 'x-js-assume-account': "below'" },
  ])('are a 400: %j', async (headers) => {
    for (const method of ['GET', 'POST']) {
      const answer = await server.ask(method, path, { headers, ...(method === 'POST' ? { body: site } : {}) })
      expect([answer.status, answer.error.code]).toEqual([400, 'header_invalid'])
    }
  })

  test('given twice, they are a 400: an assumed account cannot assume another one', async () => {
    for (const accounts of [
      ['below', 'below'],
      ['below', 'deep'],
    ]) {
      expect(await statusOf({ 'x-js-account': 'own', 'x-js-assume-account': accounts })).toBe(400)
    }
  })
})

/** Headers given as lists are sent one by one; `fetch` would join them. */
function statusOf(headers: Record<string, string | string[]>) {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  plainRequest(`${server.url}${path}`, { headers: { ...server.headers, ...headers } }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
    .on('error', reject)
    .end()
  return promise
}
