import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { storeEvent } from '../collections/test-events.ts'
import { makeItem, type Written, written } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const make = (collection: Written, account: string, fields: Record<string, unknown> = {}) =>
  makeItem({ ask: server.in(account), collection, fields })

await make('accounts', server.account, { ref: 'north', name: 'North' })
await make('accounts', server.account, { ref: 'south', name: 'South' })
await make('accounts', 'north', { ref: 'far-north', name: 'Far north' })

const north = await server.signInAs({ role: 'admin', account: 'north' })
const everywhere = { headers: { 'x-js-all-accounts': 'true' } }

describe('a role held on an account', () => {
  test('applies to all accounts below it, and to none above or beside', async () => {
    const own = await north.client.me('north')
    const below = await north.client.me('far-north')
    expect([own.account?.inherited, own.account?.descendants]).toEqual([undefined, ['far-north']])
    expect([below.account?.inherited, below.account?.role, below.account?.descendants]).toEqual([true, 'admin', []])
    for (const account of [server.account, 'south', 'nowhere']) {
      await expect(north.client.me(account)).rejects.toMatchObject({ status: 403, code: 'account_refused' })
    }
  })

  test('is replaced by a nearer role', async () => {
    const person = await server.signInAs({ role: 'admin', account: 'north' })
    const key = await server.keyOf('far-north')
    await server.database.asSystem((tx) =>
      tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
        values (${person.userId}, ${key}, 'reportingUser')`),
    )
    const { account } = await person.client.me('far-north')
    expect([account?.role, account?.inherited]).toEqual(['reportingUser', undefined])
    const body = { name: 'x', timeZone: 'UTC' }
    expect((await person.in('far-north')('POST', '/api/sites', { body })).status).toBe(403)
    expect((await person.in('north')('POST', '/api/sites', { body })).status).toBe(201)
  })

  test('shows the hierarchy from there downward', async () => {
    expect(await north.client.hierarchy()).toMatchObject([
      { ref: 'north', children: [{ ref: 'far-north', children: [] }] },
    ])
    const hierarchy = await server.client.hierarchy()
    expect(hierarchy.filter(({ ref }) => ref === server.account)).toMatchObject([
      { ref: server.account, children: [{ ref: 'north' }, { ref: 'south' }] },
    ])
  })

  test('is found by null, by the ref and by the id of its account', async () => {
    const { account } = await north.client.me(null)
    expect(account?.ref).toBe('north')
    expect((await north.in(account?._id ?? '')('GET', '/api/users/me')).json).toMatchObject({
      account: { ref: 'north' },
    })
  })
})

describe('a user without any role', () => {
  test('gets their own data, and no account', async () => {
    const person = await server.signInAs({ role: 'admin', account: 'south' })
    const over = { validFrom: '2020-01-01T00:00:00.000Z', validUntil: '2021-01-01T00:00:00.000Z' }
    await server.in('south')('PATCH', `/api/users/${person.userId}`, { body: over })
    const me = await person.client.me(null)
    expect([me.user._id, me.user.accounts, me.account, me.rules]).toEqual([person.userId, [], null, []])
    for (const account of ['null', 'south', server.account]) {
      const { status, error } = await person.in(account)('GET', '/api/sites')
      expect([status, error.code]).toEqual([403, 'account_refused'])
    }
  })
})

test.each(written)('%s: an item of another account is as absent as one that never was', async (collection) => {
  const body = collection === 'credentials' ? { number: 'x' } : { name: 'x' }
  const absent = uuidv7()
  for (const account of [server.account, 'south', 'far-north']) {
    const { _id: id, ...made } = await make(collection, account)
    const place = collection === 'accounts' ? String(made['ref']) : account
    for (const [method, options] of [
      ['GET', {}],
      ['PATCH', { body }],
      ['DELETE', {}],
    ] as const) {
      const elsewhere = await north.ask(method, `/api/${collection}/${id}`, options)
      const nowhere = await north.ask(method, `/api/${collection}/${absent}`, options)
      expect([elsewhere.status, elsewhere.error]).toEqual([404, nowhere.error])
    }
    const after = await server.in(place)('GET', `/api/${collection}/${id}`)
    expect([after.status, after.item['version']]).toEqual([200, 1])
  }
})

test('an event of another account is as absent as one that never was', async () => {
  const id = await storeEvent(server.database, { account: await server.keyOf('south') })
  expect((await north.ask('GET', `/api/events/${id}`)).error).toEqual(
    (await north.ask('GET', `/api/events/${uuidv7()}`)).error,
  )
  expect((await north.ask('GET', '/api/events', everywhere)).items.map(({ _id }) => _id)).not.toContain(id)
})

describe('x-js-all-accounts', () => {
  test('extends lists and reads of one item to the accounts below, never above or beside', async () => {
    const [own, below, above, beside] = await Promise.all(
      ['north', 'far-north', server.account, 'south'].map((account) => make('sites', account)),
    )
    const ids = async (headers: Record<string, string>) => {
      const { items, page } = await north.ask('GET', '/api/sites?size=500', { headers })
      expect(page['totalElements']).toBe(items.length)
      return items.map(({ _id }) => _id)
    }
    const narrow = await ids({})
    const wide = await ids(everywhere.headers)
    expect([narrow.includes(own?._id ?? ''), narrow.includes(below?._id ?? '')]).toEqual([true, false])
    expect([own, below, above, beside].map((site) => wide.includes(site?._id ?? ''))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(await ids({ 'x-js-all-accounts': 'false' })).toEqual(narrow)
    expect((await north.ask('GET', `/api/sites/${below?._id}`)).status).toBe(404)
    expect((await north.ask('GET', `/api/sites/${below?._id}`, everywhere)).json).toEqual(
      (await north.in('far-north')('GET', `/api/sites/${below?._id}`)).json,
    )
    expect((await north.ask('GET', `/api/sites/${beside?._id}`, everywhere)).status).toBe(404)
  })

  test('shows a user once for each of their accounts, and pages omit none of these', async () => {
    const user = (await make('users', 'north'))._id
    const key = await server.keyOf('far-north')
    await server.database.asSystem((tx) =>
      tx.run(sql`insert into membership (membership_user, membership_account) values (${user}, ${key})`),
    )
    const found: unknown[] = []
    for (let after: string | null = ''; after !== null; ) {
      const query = new URLSearchParams({ size: '1', ...(after ? { after } : {}) })
      const { items, next } = await north.ask('GET', `/api/users?${query.toString()}`, everywhere)
      found.push(...items.filter(({ _id }) => _id === user).map(({ account }) => account))
      after = next
    }
    expect(new Set(found).size).toBe(2)
  })

  test('does not widen writes', async () => {
    const below = await make('sites', 'far-north')
    const path = `/api/sites/${below._id}`
    expect((await north.ask('PATCH', path, { ...everywhere, body: { name: 'x' } })).status).toBe(404)
    expect((await north.ask('DELETE', path, everywhere)).status).toBe(404)
    const created = await north.ask('POST', '/api/sites', { ...everywhere, body: { name: 'x', timeZone: 'UTC' } })
    expect((await north.ask('GET', `/api/sites/${created.item._id}`)).status).toBe(200)
  })

  test('cannot be escaped with a filter', async () => {
    const beside = await make('sites', 'south', { name: 'Secret' })
    for (const filter of [
      { _id: beside._id },
      { or: [{ name: 'Secret' }, { not: { name: 'Secret' } }] },
      { not: { not: {} } },
    ]) {
      const query = new URLSearchParams({ filter: JSON.stringify(filter), size: '500' })
      const { items } = await north.ask('GET', `/api/sites?${query.toString()}`, everywhere)
      expect(items.map(({ _id }) => _id)).not.toContain(beside._id)
    }
    expect((await north.ask('GET', '/api/sites?search=Secret', everywhere)).items).toEqual([])
  })
})

describe('a new item', () => {
  test('that is an account is visible at once to users who see its parent', async () => {
    const account = await makeItem({ ask: north.ask, collection: 'accounts', fields: { ref: 'new-north' } })
    expect(account['parent']).toBe((await north.client.me('north')).account?._id)
    expect((await north.client.me('new-north')).account?.inherited).toBe(true)
    const wide = await north.ask('GET', '/api/accounts', everywhere)
    expect(wide.items.map(({ ref }) => ref)).toEqual(expect.arrayContaining(['north', 'far-north', 'new-north']))
    expect((await north.ask('GET', '/api/accounts')).items.map(({ ref }) => ref)).toEqual(['north'])
  })
})

test('§2 all accounts: a role does not read accounts in which a nearer role of the same user allows less, but reads those below them again', async () => {
  await make('accounts', server.account, { ref: 'high', name: 'High' })
  for (const [above, ref] of [
    ['high', 'low'],
    ['low', 'lowest'],
    ['high', 'level'],
  ] as const) {
    await make('accounts', above, { ref, name: ref })
  }
  const refs = ['high', 'low', 'lowest', 'level'] as const
  const sites = await Promise.all(refs.map((ref) => make('sites', ref, { name: `Site of ${ref}` })))
  const seenBy = async (held: Record<string, string>) => {
    const person = await server.signInAs({ role: 'installer', account: 'high' })
    for (const [ref, role] of Object.entries(held)) {
      const key = await server.keyOf(ref)
      await server.database.asSystem((tx) =>
        tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
          values (${person.userId}, ${key}, ${role})`),
      )
    }
    const { items } = await person.in('high')('GET', '/api/sites?size=500', everywhere)
    return refs.filter((_, index) => items.some(({ _id }) => _id === sites[index]?._id))
  }
  expect(await seenBy({})).toEqual(refs)
  expect(await seenBy({ low: 'appUser' })).toEqual(['high', 'level'])
  expect(await seenBy({ low: 'appUser', lowest: 'installer' })).toEqual(['high', 'lowest', 'level'])
  expect(await seenBy({ low: 'admin' })).toEqual(refs)
  expect(await seenBy({ low: 'admin', lowest: 'reportingUser' })).toEqual(['high', 'low', 'level'])
})
