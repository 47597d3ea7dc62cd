import { bareQueries as queries, type Query } from './bare-queries.ts'
import type { Request } from './drive.ts'
import { otherTrees } from './fill-world.ts'
import type { World } from './world.ts'

/** One request, for the product, the bare server and PostgreSQL alone. */
export type Measurement = {
  name: string
  /** The minimum share of the bare server's rate that the product must reach. */
  atLeast?: number
  product: () => Request
  bare: () => Request
  sql: () => Query[]
  /** The number of items in each response, and the total where the response has one. */
  items: number
  total?: number
  /** The maximum number of connections: if a response takes a second, 16 parallel requests only wait for each other. */
  connections?: number
}

/** Frequent requests, each with its minimum share of the bare server's rate. */
export function measurements({ account, trees, doors, sites, events, counts }: World): Measurement[] {
  const page = '/api/events?size=50'
  const [door = ''] = doors
  const filter = encodeURIComponent(JSON.stringify({ door, type: 'access.granted' }))
  const [event, site, name, tree] = [cycle(events), cycle(sites), cycle(names), cycle(otherTrees)]
  return [
    {
      name: 'list of 50',
      atLeast: 1,
      product: () => ({ path: page }),
      bare: () => ({ path: `/list?account=${account}` }),
      sql: () => [queries.list(account)],
      items: Math.min(50, counts.own),
    },
    {
      name: 'filtered list (door, type)',
      atLeast: 1,
      product: () => ({ path: `${page}&filter=${filter}` }),
      bare: () => ({ path: `/filtered?account=${account}&id=${door}` }),
      sql: () => [queries.filtered(account, door)],
      items: Math.min(50, counts.door),
    },
    {
      name: 'list with exact total',
      atLeast: 3,
      product: () => ({ path: page }),
      bare: () => ({ path: `/total?account=${account}` }),
      sql: () => [queries.list(account), queries.total(account)],
      items: Math.min(50, counts.own),
      total: counts.own,
    },
    ...trees.map(({ ref, keys }) => ({
      name: `tree read, ${keys.length} accounts`,
      product: () => ({ path: page, headers: { 'x-js-account': ref, 'x-js-all-accounts': 'true' } }),
      bare: () => ({ path: `/tree?accounts=${keys.join(',')}` }),
      sql: () => [queries.tree(keys)],
      items: Math.min(50, counts.own),
      connections: 2,
    })),
    {
      name: 'get',
      product: () => ({ path: `/api/events/${event()}` }),
      bare: () => ({ path: `/get?account=${account}&id=${event()}` }),
      sql: () => [queries.get(account, event())],
      items: 1,
    },
    {
      name: 'create, with history',
      atLeast: 0.3,
      product: () => ({ method: 'POST', path: '/api/sites', body: { name: name(), timeZone: 'UTC' } }),
      bare: () => ({ method: 'POST', path: `/create?account=${account}`, body: { name: name() } }),
      sql: () => [queries.create(account, name())],
      items: 1,
    },
    {
      name: `create, in ${otherTrees.length} account trees`,
      atLeast: 0.3,
      product: () => ({
        method: 'POST',
        path: '/api/sites',
        body: { name: name(), timeZone: 'UTC' },
        headers: { 'x-js-account': tree() },
      }),
      bare: () => ({ method: 'POST', path: `/create?account=${account}`, body: { name: name() } }),
      sql: () => [queries.create(account, name())],
      items: 1,
    },
    {
      name: 'patch, with history',
      atLeast: 0.3,
      product: () => ({ method: 'PATCH', path: `/api/sites/${site()}`, body: { name: name() } }),
      bare: () => ({ method: 'PATCH', path: `/patch?id=${site()}`, body: { name: name() } }),
      sql: () => [queries.patch(site(), name())],
      items: 1,
    },
  ]
}

const names = Array.from({ length: 100 }, (_, index) => `Harbour shed ${index}`)

function cycle(values: readonly string[]) {
  let next = 0
  return () => values[next++ % values.length] ?? ''
}
