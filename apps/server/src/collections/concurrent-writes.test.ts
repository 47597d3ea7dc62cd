import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer } from '../test-server.ts'
import { minimalItem, makeItem, type Written } from './test-items.ts'

const server = await startTestServer()
afterAll(server.stop)
const key = await server.keyOf(server.account)

const make = async (collection: Written, fields: Record<string, unknown> = {}) =>
  (await makeItem({ ask: server.ask, collection, fields }))._id
const patch = (path: string, body: unknown) => server.ask('PATCH', `/api/${path}`, { body })
const remove = (path: string) => server.ask('DELETE', `/api/${path}`)
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

describe('concurrent changes of one item', () => {
  test('all apply in turn if none names a version', async () => {
    const site = await make('sites')
    const statuses = await times(12, async (index) => (await patch(`sites/${site}`, { name: `Name ${index}` })).status)
    expect(statuses).toEqual(statuses.map(() => 200))
    const versions = await historyOf(site)
    expect(versions).toEqual(versions.map((_, index) => ({ before: index + 1, after: index + 2 })))
    expect(versions).toHaveLength(12)
  })

  test('apply once if all name the same version, and the others get the current item', async () => {
    const site = await make('sites')
    const answers = await times(6, (index) => patch(`sites/${site}`, { name: `Name ${index}`, version: 1 }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
    const { item } = await server.ask('GET', `/api/sites/${site}`)
    for (const { status, json } of answers) if (status === 409) expect(json).toMatchObject({ item })
  })

  test('leave the item deleted if one of them is a deletion', async () => {
    await times(6, async () => {
      const site = await make('sites')
      const [changed, removed] = await Promise.all([patch(`sites/${site}`, { name: 'New' }), remove(`sites/${site}`)])
      expect(removed.status).toBe(204)
      expect([200, 404]).toContain(changed.status)
      expect((await server.ask('GET', `/api/sites/${site}`)).status).toBe(404)
    })
  })
})

describe('an item deleted while another change refers to it', () => {
  test.each<[Written, Written, (id: string, site: string) => Record<string, unknown>]>([
    ['doors', 'rules', (id) => ({ where: [{ kind: 'Door', id }] })],
    ['users', 'userGroups', (id) => ({ members: [id] })],
    ['sites', 'doors', (site) => ({ site })],
    ['schedules', 'rules', (schedule) => ({ schedule })],
  ])('%s, in %s: either it stays or the reference is refused', async (named, naming, fields) => {
    await times(8, async () => {
      const id = await make(named)
      const site = naming === 'doors' ? id : ''
      const body = { ...minimalItem(naming, { site }), ...fields(id, site) }
      const [made, removed] = await Promise.all([
        server.ask('POST', `/api/${naming}`, { body }),
        remove(`${named}/${id}`),
      ])
      const isThere = (await server.ask('GET', `/api/${named}/${id}`)).status === 200
      expect(removed.status).toBe(isThere ? 422 : 204)
      if (isThere || made.status !== 201) return expect(made.status).toBe(isThere ? 201 : 422)
      // Deleted members are removed from their groups; no other reference may be lost.
      const { item } = await server.ask('GET', `/api/${naming}/${made.item._id}`)
      return expect(item['members']).toEqual([])
    })
  })
})

test('concurrent changes of every kind get their versions in the order of their commits', async () => {
  const [site, group] = [await make('sites'), await make('userGroups')]
  const people = await times(4, () => make('users'))
  const doomed = await times(8, () => make('schedules'))
  const first = (await newestVersion()) + 1
  const seen: number[][] = []
  let isWriting = true
  const watching = (async () => {
    while (isWriting) seen.push(await versionsFrom(first))
  })()
  const statuses = await times(8, async (index) => [
    (await server.ask('POST', '/api/sites', { body: minimalItem('sites', { site }) })).status,
    (await patch(`sites/${site}`, { name: `Name ${index}` })).status,
    (await patch(`userGroups/${group}`, { members: people.slice(index % 4) })).status,
    (await remove(`schedules/${doomed[index]}`)).status,
    (await patch(`users/${people[index % 4]}`, { groups: [group] })).status,
  ])
  isWriting = false
  await watching
  expect(statuses).toEqual(statuses.map(() => [201, 200, 200, 204, 200]))
  const expected = Array.from({ length: 40 }, (_, index) => first + index)
  expect(await versionsFrom(first)).toEqual(expected)
  expect(seen.length).toBeGreaterThan(1)
  for (const versions of seen) expect(versions).toEqual(expected.slice(0, versions.length))
})

async function historyOf(item: string) {
  return server.database.asSystem((tx) =>
    tx.rows(
      z.object({ before: z.int(), after: z.int() }),
      sql`select (history_before ->> 'version')::int as before, (history_after ->> 'version')::int as after from history
           where history_item = ${item} and history_action = 'patch' order by history_policy_version`,
    ),
  )
}

async function newestVersion() {
  const [newest = 0] = (await versionsFrom(0)).slice(-1)
  return newest
}

async function versionsFrom(first: number) {
  const rows = await server.database.asSystem((tx) =>
    tx.rows(
      z.object({ version: z.number() }),
      sql`select history_policy_version as version from history join account on account_key = history_account
           where account_root = ${key} and history_policy_version >= ${first} order by version`,
    ),
  )
  return rows.map(({ version }) => version)
}

test('§2 changes that wait for each other run one after the other, without an internal error', async () => {
  const unit = await make('units')
  const site = await make('sites')
  const [one, other] = [
    await make('doors', { site, unit, unitDoor: 1 }),
    await make('doors', { site, unit, unitDoor: 2 }),
  ]
  const statuses = await times(20, async () => {
    const answers = await Promise.all([
      patch(`doors/${one}`, { unitDoor: 2 }),
      patch(`doors/${other}`, { unitDoor: 1 }),
    ])
    return answers.map(({ status }) => status)
  })
  expect(new Set(statuses.flat())).toEqual(new Set([409]))
})
