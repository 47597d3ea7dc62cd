import type { Collection } from '@portcullis/contract/collection'
import { collectionPath } from '@portcullis/contract/collection-calls'
import { metaOf } from '@portcullis/contract/fields'
import type { z } from 'zod'
import { tableOf } from '@portcullis/server/query/columns'
import type { Context, Outcome } from './expected-answer.ts'
import { canaryOf } from './marks.ts'
import { parentOf, type Place, type Target } from './places.ts'
import { atEach, badRequest, isIn, notFound, ok, type Probe } from './probe.ts'
import { type Query, type Reading, readRequest, rowsReturned } from './reading.ts'
import { movedFrom, movedTo, type World } from './world.ts'

export type Read = { world: World; collection: Collection; reading: Reading; groups?: Collection | undefined }

const formats = ['csv', 'json', 'xlsx'] as const

/** Every way to point a call that returns many items at another account. */
export function readProbes(read: Read): Probe[] {
  return [
    probe(read, { placement: 'plain', what: 'everything', query: {}, rows: everything(read) }),
    ...(read.groups ? groupProbes(read, read.groups) : []),
    ...filterProbes(read),
    ...searchProbes(read),
    ...orderProbes(read),
    ...columnProbes(read),
  ]
}

/** The probes of `GET /api/{collection}/{id}`. */
export function getProbes({ world, collection }: Pick<Read, 'world' | 'collection'>): Probe[] {
  const path = (id: string) => collectionPath(collection, 'get', id)
  return [
    ...atEach((target) => ({
      placement: 'path',
      what: 'id',
      send: () => ({ path: path(world.idOf(target, collection.name)) }),
      expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
      check: ({ text }) =>
        text.includes(world.idOf(target, collection.name))
          ? undefined
          : { kind: 'surprise', what: 'it is another item' },
    })),
    { placement: 'path', what: 'no id', send: () => ({ path: path('zebra') }), expects: () => notFound },
  ]
}

type Rows = (context: Context) => number | undefined
type ProbeInput = Pick<Probe, 'placement' | 'what'> & { query: Query; rows?: Rows; outcome?: Outcome; group?: Target }

function probe(read: Read, { placement, what, query, rows, outcome = ok, group }: ProbeInput): Probe {
  const { world, collection, reading, groups } = read
  const pathOf = (account: Target) => {
    return collectionPath(collection, reading, groups && world.idOf(group ?? account, groups.name))
  }
  return {
    placement,
    what,
    send: async ({ account }) => {
      if (reading === 'export') await world.forgetExports(account)
      return readRequest({ path: pathOf(account), reading, query })
    },
    expects: ({ reads }) => (group !== undefined && !isIn(reads, group) ? notFound : outcome),
    check: (answer, context) => {
      const expected = rows?.(context)
      const returned = rowsReturned(reading, answer)
      if (expected === undefined || expected === returned) return undefined
      return { kind: returned > expected ? 'leak' : 'surprise', what: `it returns ${returned} rows, not ${expected}` }
    },
  }
}

/** The probes of a collection whose items belong to no groups. */
export function noGroupProbes({ world, collection }: Pick<Read, 'world' | 'collection'>): Probe[] {
  return atEach((target) => ({
    placement: 'path',
    what: 'group',
    send: () => ({ path: collectionPath(collection, 'group', world.idOf(target, 'userGroups')) }),
    expects: () => ({ status: 404, code: 'no_group_lookup' }),
  }))
}

/** The number of visible items; of a group, the number of those that belong to it. */
function everything(read: Read): Rows {
  return ({ reads, account }) =>
    read.groups ? inGroupOf(read, { account, reads }) : read.world.rowsIn(read.collection.name, reads).length
}

/** The accounts with an item that belongs to the group of an account, which for some also has one that has moved away. */
function placesInGroup({ collection }: Read, account: Place): readonly Place[] {
  if (!movedFrom.includes(account)) return [account]
  switch (collection.name) {
    case 'events':
      // Both still name the door that has moved.
      return movedFrom
    case 'rules':
      // The rule of `parent` names the door of `own`.
      return account === 'own' ? [...movedFrom, 'parent'] : movedFrom
    default:
      return [account, movedTo]
  }
}

function inGroupOf(read: Read, { account, reads }: Pick<Context, 'account' | 'reads'>) {
  // Rules of other accounts name the user who has moved, and belong to the group only where that user is in scope.
  const isReached = (place: Place) => place === account || read.collection.name !== 'rules' || reads.has(movedTo)
  return placesInGroup(read, account).filter((place) => reads.has(place) && isReached(place)).length
}

function groupProbes(read: Read, groups: Collection): Probe[] {
  const rows = (target: Target) => (context: Context) =>
    target === 'absent' ? 0 : inGroupOf(read, { ...context, account: target })
  return [
    ...atEach((target) =>
      probe(read, { placement: 'path', what: 'group', query: {}, group: target, rows: rows(target) }),
    ),
    {
      placement: 'path',
      what: 'no id',
      send: () => ({ path: collectionPath(read.collection, 'group', groups.name) }),
      expects: () => notFound,
    },
  ]
}

function filterProbes(read: Read): Probe[] {
  const { world, collection } = read
  const id = (target: Target) => world.idOf(target, collection.name)
  const filter = (what: string, query: unknown) => ({ placement: 'filter' as const, what, query: { filter: query } })
  const ids = (['own', 'child', 'parent', 'sibling', 'root', 'absent'] as const).map(id)
  return [
    ...atEach((target) =>
      probe(read, { ...filter('_id', { _id: id(target) }), rows: (context) => found(read, { target, context }) }),
    ),
    ...atEach((target) => {
      const either = { or: [{ _id: id(target) }, { not: { _id: id(target) } }] }
      return {
        ...probe(read, { ...filter('_id or not', either), rows: everything(read) }),
        ...knowing(collection.name),
      }
    }),
    probe(read, filter('_id in all', { _id: { in: ids } })),
    probe(read, { ...filter('account', { account: world.idOf('sibling', 'accounts') }), outcome: badRequest }),
    ...referencesOf(collection).flatMap(({ field, of }) =>
      atEach((target) => ({
        ...probe(read, { ...filter(field, { [field]: world.idOf(target, of) }), rows: none({ target, of }) }),
        ...knowing(of),
      })),
    ),
    ...textsOf(collection).flatMap((field) =>
      atEach((target) =>
        probe(read, { ...filter(`${field} like`, { [field]: { like: canaryOf(target) } }), rows: none({ target }) }),
      ),
    ),
  ]
}

function found(read: Read, { target, context }: { target: Target; context: Context }) {
  return isIn(context.reads, target) && (!read.groups || isInOwnGroup(read, { target, context })) ? 1 : 0
}

/** The item that has moved is not the first one of its account, except for the controller of the door that has. */
function isInOwnGroup(read: Read, { target, context }: { target: Target; context: Context }) {
  const { name } = read.collection
  const isMoved = target === movedTo && context.account !== movedTo && name !== 'units'
  return target !== 'absent' && !isMoved && placesInGroup(read, context.account).includes(target)
}

/** Out-of-scope items are never found; the number of visible items does not matter here. */
function none({ target, of }: { target: Target; of?: string }): Rows {
  return (context) => {
    const visible = of === 'accounts' ? withParents(context) : context.reads
    return isIn(visible, target) ? undefined : 0
  }
}

function knowing(of: string): Pick<Probe, 'knows'> {
  return of === 'accounts' ? { knows: withParents } : {}
}

/** An account also shows the id of its parent. */
function withParents({ reads }: Context): ReadonlySet<Place> {
  const parents = [...reads].flatMap((place) => parentOf(place) ?? [])
  return new Set([...reads, ...parents])
}

function searchProbes(read: Read): Probe[] {
  if (read.reading === 'aggregate') return []
  return atEach((target) =>
    probe(read, { placement: 'search', what: 'words', query: { search: canaryOf(target) }, rows: none({ target }) }),
  )
}

function orderProbes(read: Read): Probe[] {
  const { world, collection, reading } = read
  if (reading === 'count' || reading === 'aggregate') return []
  const order = (what: string, query: Query) => ({ placement: 'order' as const, what, query })
  const sorted = collection.queryable.map((prop) =>
    probe(read, { ...order(`by ${prop}`, { sort: { prop, dir: 'asc' } }), rows: everything(read) }),
  )
  if (reading === 'export') return sorted
  const sort = { prop: '_id', dir: 'asc' } as const
  const after = (target: Target) => {
    const id = world.idOf(target, collection.name)
    const place = target === 'absent' ? 2_000_000_000 : world.keyOf(target)
    return Buffer.from(JSON.stringify({ ...sort, key: id, id, account: place })).toString('base64url')
  }
  const behind = (['parent', 'sibling', 'root', 'absent'] as const).map((target) =>
    probe(read, order(`behind ${target}`, { sort, after: after(target) })),
  )
  const unknown = probe(read, {
    ...order('an account', { account: world.idOf('sibling', 'accounts') }),
    outcome: badRequest,
  })
  return [...sorted, ...behind, unknown]
}

function columnProbes(read: Read): Probe[] {
  const { collection, reading } = read
  const fields = Object.keys(collection.entitySchema.shape)
  const columns = (what: string, query: Query) =>
    probe(read, { placement: 'columns', what, query, rows: everything(read) })
  switch (reading) {
    case 'count':
      return []
    case 'list':
    case 'group':
      return [columns('all', { fields }), columns('one', { fields: ['account'] })]
    case 'export':
      return [
        ...formats.flatMap((format) => [
          columns(format, { format }),
          columns(`${format} of all`, { format, columns: fields }),
        ]),
        probe(read, { placement: 'columns', what: 'an account', query: { account: 'zebra' }, outcome: badRequest }),
      ]
    case 'aggregate':
      return [
        ...collection.queryable.map((field) => columns(`by ${field}`, { by: [field] })),
        probe(read, { placement: 'columns', what: 'by account', query: { by: ['account'] }, outcome: badRequest }),
      ]
  }
}

function referencesOf({ entitySchema, queryable }: Collection) {
  return Object.entries<z.core.$ZodType>(entitySchema.shape).flatMap(([field, schema]) => {
    const meta = metaOf(schema)
    return meta?.kind === 'reference' && queryable.includes(field) ? [{ field, of: meta.of }] : []
  })
}

function textsOf(collection: Collection) {
  const { columns } = tableOf(collection)
  return collection.queryable.filter((field) => columns.get(field)?.kind === 'text')
}
