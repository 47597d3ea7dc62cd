import { isAllowed, roles, rulesOfRole } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { afterAll, describe, expect, test } from 'vitest'
import { storeEvent } from '../collections/test-events.ts'
import { minimalItem, makeItem, type Written, written } from '../collections/test-items.ts'
import { startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

/** The accounts: `main`, below it `own` and `beside`, and `below` below `own`. */
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'own' } })
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'beside' } })
await makeItem({ ask: server.in('own'), collection: 'accounts', fields: { ref: 'below' } })

const places = ['own', 'below'] as const
const foreign = [server.account, 'beside', 'nowhere'] as const
const verbs = ['list', 'get', 'create', 'patch', 'delete'] as const
type Verb = (typeof verbs)[number]

const sites = new Map<string, string>()
for (const place of places) sites.set(place, (await makeItem({ ask: server.in(place), collection: 'sites' }))._id)

describe.each(roles)('%s', (role) => {
  const rules = rulesOfRole(role)
  const mayView = ({ subject }: Collection) => isAllowed(rules, { action: 'view', subject })
  const mayManage = ({ subject }: Collection) => isAllowed(rules, { action: 'manage', subject })

  function expected(collection: Collection, verb: Verb) {
    if (verb === 'list' || verb === 'get') return mayView(collection) ? 200 : 403
    if (!mayManage(collection)) return 403
    return { create: 201, patch: 200, delete: 204 }[verb]
  }

  test.each(places)('§6 may do in %s exactly what the rules of the role allow', async (place) => {
    const person = await server.signInAs({ role, account: 'own' })
    const expectedStatuses: Record<string, number> = {}
    const found: Record<string, number> = {}
    for (const name of written) {
      const item = await makeItem({ ask: server.in(place), collection: name, site: sites.get(place) ?? '' })
      const ask = person.in(name === 'accounts' ? String(item['ref']) : place)
      const body = minimalItem(name, { site: sites.get(place) ?? '' })
      for (const verb of verbs) {
        const { status } = await perform(verb === 'create' ? person.in(place) : ask, { verb, name, id: item._id, body })
        expectedStatuses[`${verb} ${name}`] = expected(collections[name], verb)
        found[`${verb} ${name}`] = status
      }
    }
    const event = await storeEvent(server.database, { account: await server.keyOf(place) })
    for (const [verb, path] of [
      ['list', ''],
      ['get', `/${event}`],
    ] as const) {
      expectedStatuses[`${verb} events`] = expected(collections.events, verb)
      found[`${verb} events`] = (await person.in(place)('GET', `/api/events${path}`)).status
    }
    expect(found).toEqual(expectedStatuses)
    expect(Object.keys(found)).toHaveLength(written.length * verbs.length + 2)
  })

  test('§6 may do nothing in accounts above, beside or absent, and cannot distinguish them', async () => {
    const person = await server.signInAs({ role, account: 'own' })
    const answers = new Set<string>()
    for (const place of foreign) {
      for (const name of written) {
        for (const verb of verbs) {
          const { status, error } = await perform(person.in(place), {
            verb,
            name,
            id: sites.get('own') ?? '',
            body: {},
          })
          answers.add(JSON.stringify([status, error]))
        }
      }
    }
    const refusal = {
      code: 'account_refused',
      message: 'This account does not exist, or you have no role in it.',
      fields: {},
    }
    expect([...answers]).toEqual([JSON.stringify([403, refusal])])
  })

  test('reads exactly the rules of the role from users/me', async () => {
    const person = await server.signInAs({ role, account: 'own' })
    const { account, rules: returned } = await person.client.me()
    expect(returned).toEqual(rules)
    expect([account?.ref, account?.role, account?.inherited]).toEqual(['own', role, undefined])
  })
})

test('a hyper user may do everything everywhere', async () => {
  const { rules } = await server.client.me()
  expect(rules).toEqual([{ action: 'manage', subject: 'all' }])
})

type PerformInput = { verb: Verb; name: Written; id: string; body: unknown }

function perform(ask: TestUser['ask'], { verb, name, id, body }: PerformInput) {
  const path = `/api/${name}`
  switch (verb) {
    case 'list':
      return ask('GET', path)
    case 'get':
      return ask('GET', `${path}/${id}`)
    case 'create':
      return ask('POST', path, { body })
    case 'patch':
      return ask('PATCH', `${path}/${id}`, { body: {} })
    case 'delete':
      return ask('DELETE', `${path}/${id}`)
  }
}
