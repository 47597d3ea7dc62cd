import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'
import { itemsAsOf } from './items-as-of.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask, database } = server

const main = await server.keyOf(server.account)
const steps = 60

/** A small random generator with a seed, so that failures can be repeated. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('§1 users and groups are returned as they were at every moment, whatever the changes', async () => {
  const random = randomFrom(7)
  const someOf = <T>(all: readonly T[]) => all.filter(() => random(2) === 0)
  const existing: Record<'users' | 'userGroups', string[]> = { users: [], userGroups: [] }
  const moments: { at: string; items: unknown[] }[] = []
  for (let step = 0; step < steps; step += 1) {
    const collection = random(2) === 0 ? 'users' : 'userGroups'
    const fields =
      collection === 'users' ? { groups: someOf(existing.userGroups) } : { members: someOf(existing.users) }
    const id = existing[collection][random(existing[collection].length)]
    const verb = random(4)
    if (verb === 0 || id === undefined) {
      existing[collection].push((await makeItem({ ask, collection, fields }))._id)
    } else if (verb === 1) {
      expect((await ask('DELETE', `/api/${collection}/${id}`)).status).toBe(204)
      existing[collection] = existing[collection].filter((other) => other !== id)
    } else {
      const body = { name: `Step ${step}`, ...fields }
      expect((await ask('PATCH', `/api/${collection}/${id}`, { body })).status).toBe(200)
    }
    moments.push(await now())
  }
  for (const { at, items } of moments) expect(await asOf(at), at).toEqual(items)
  expect(moments.length).toBe(steps)
})

/** All users and groups as their lists show them, and a moment at which they do. */
async function now() {
  const at = new Date().toISOString()
  const lists = [await ask('GET', '/api/users?size=500'), await ask('GET', '/api/userGroups?size=500')]
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(at))
  return { at, items: lists.map(({ items }) => byId(items)) }
}

async function asOf(at: string) {
  const both = [users, userGroups].map((collection) =>
    database.inAccounts([main], (tx) => itemsAsOf(tx, { collection, accounts: [main], at })),
  )
  return (await Promise.all(both)).map((items) => byId([...items.values()]))
}

function byId(items: readonly Record<string, unknown>[]) {
  return items.toSorted((one, other) => String(one['_id']).localeCompare(String(other['_id'])))
}
