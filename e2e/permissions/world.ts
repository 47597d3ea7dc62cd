import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { metaOf } from '@portcullis/contract/fields'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { tableOf } from '@portcullis/server/query/columns'
import type { TestServer } from '@portcullis/server/test-server'
import { exampleItem, type Fields, fieldsOf } from './example-item.ts'
import { buttonOf, canaryOf, refOf } from './marks.ts'
import { makePersonas, type Persona } from './personas.ts'
import { parentOf, type Place, places, type Target } from './places.ts'
import { moved, storeRows } from './stored-rows.ts'

/** The accounts of the matrix and all items in them. */
export type World = {
  server: TestServer
  personas: readonly Persona[]
  /** The id of the account's own item of a collection, command or view; for `absent`, an id that does not exist. */
  idOf: (target: Target, kind: string) => string
  keyOf: (place: Place) => number
  /** The accounts that may show an id; ids that are not listed reveal nothing. */
  placesOf: ReadonlyMap<string, ReadonlySet<Place>>
  /** Ids of all items of a collection in these accounts. */
  rowsIn: (collection: string, among: ReadonlySet<Place>) => string[]
  /** The fields with which the account's own item was created. */
  itemOf: (place: Place, collection: string) => Fields
  /** Creates another item in an account as its administrator, and returns its id. */
  makeItem: (place: Place, collection: string, fields?: Fields) => Promise<string>
  /** Creates an item in an account and returns the id of its entry in the audit log. */
  makeEntry: (place: Place) => Promise<string>
  /** Removes export entries from an account's logs: they contain the request, including other accounts' ids. */
  forgetExports: (place: Place) => Promise<void>
  /** Replaces the values of a field that items of an account have taken from another account. */
  free: (place: Place, of: { collection: string; field: string }) => Promise<void>
}

/** The account of the moved items that logs and groups of `own` and `child` still name. */
export const movedTo: Place = 'sibling'
export const movedFrom: readonly Place[] = ['own', 'child']

export async function buildWorld(server: TestServer): Promise<World> {
  const ids = new Map<string, string>()
  const keys = new Map<Place, number>()
  const absent = uuidv7()
  const bodies = new Map<string, Fields>()
  const idOf = (target: Target, kind: string) => (target === 'absent' ? absent : entryOf(ids, `${target}/${kind}`))
  const keyOf = (place: Place) => entryOf(keys, place)
  const made = (target: Target, kind: string) => ids.get(`${target}/${kind}`)

  for (const place of places) {
    ids.set(`${place}/accounts`, await makeAccount(place))
    keys.set(place, await server.keyOf(refOf(place)))
    for (const collection of inOrder()) {
      const wired = collection === 'doors' ? { unitDoor: 1 } : {}
      const body = { ...example(place, collection), ...wired }
      bodies.set(`${place}/${collection}`, body)
      ids.set(`${place}/${collection}`, await post(place, collection, body))
    }
    await makeItem(place, 'credentials', { kind: 'iButton', number: buttonOf(place), user: null })
    ids.set(`${place}/savedViews`, await makeView(place))
    for (const collection of ['units', 'credentials', 'users', 'sites']) {
      ids.set(`${place}/${anotherOf(collection)}`, await makeItem(place, collection, ungrouped(collection)))
    }
  }
  const away = new Map<string, string>()
  for (const collection of moved) away.set(collection, await makeItem(movedTo, collection, ungrouped(collection)))
  for (const place of places) {
    const own = (collection: string) => idOf(place, collection)
    const named = (collection: string) => (movedFrom.includes(place) && away.get(collection)) || own(collection)
    const { command, lockdown } = await storeRows(server.database, { place, account: keyOf(place), own, named })
    ids.set(`${place}/commands`, command)
    ids.set(`${place}/ended lockdowns`, lockdown)
  }
  await ruleFromAbove()
  await shareUser()
  const personas = await makePersonas(server)
  const census = await takeCensus()
  const itemOf = (place: Place, collection: string) => entryOf(bodies, `${place}/${collection}`)

  return {
    server,
    personas,
    idOf,
    keyOf,
    itemOf,
    makeItem,
    makeEntry,
    forgetExports,
    free,
    placesOf: placesOfIds(),
    rowsIn,
  }

  async function makeAccount(place: Place) {
    const above = parentOf(place)
    const name = `${canaryOf(place)} account`
    bodies.set(`${place}/accounts`, { ref: refOf(place), name })
    if (above) return post(above, 'accounts', { ref: refOf(place), name })
    const { account } = await server.client.me(refOf(place))
    await server.in(refOf(place))('PATCH', `/api/accounts/${account?._id}`, {
      // The accounts below inherit this, so that every account has a user to recertify.
      body: { name, recertifyEveryDays: 365 },
    })
    return account?._id ?? ''
  }

  function makeView(place: Place) {
    return post(place, 'savedViews', { list: 'sites', name: `${canaryOf(place)}-view`, query: {}, shared: true })
  }

  function makeItem(place: Place, name: string, fields: Fields = {}) {
    return post(place, name, { ...example(place, name), ...fields })
  }

  function example(place: Place, name: string) {
    return exampleItem(collectionNamed(name), { place, idOf: (other) => made(place, other) })
  }

  async function makeEntry(place: Place) {
    const answer = await server.in(refOf(place))('POST', '/api/contacts', { body: example(place, 'contacts') })
    return answer.headers.get(historyHeader) ?? ''
  }

  function forgetExports(place: Place) {
    const account = keyOf(place)
    return server.database.asSystem(async (tx) => {
      await tx.run(sql`delete from history where history_account = ${account} and history_action = 'export'`)
      await tx.run(sql`delete from event where event_account = ${account} and event_type = 'administration.exported'`)
    })
  }

  async function free(place: Place, { collection, field }: { collection: string; field: string }) {
    const { name, account, columns } = tableOf(collectionNamed(collection))
    const column = columns.get(field)
    if (!column) throw new Error(`${collection} has no field ${field}`)
    if (field === 'email') {
      await server.database.asSystem((tx) =>
        tx.run(sql`update person set person_claimed_email = null where person_home = ${keyOf(place)}`),
      )
      return
    }
    await server.database.asSystem((tx) =>
      tx.run(sql`update ${name} set ${column.bare} = ${`${canaryOf(place)}-`} || gen_random_uuid()
        where ${account} = ${keyOf(place)} and ${column.bare} not like ${`%${canaryOf(place)}%`}
          and ${column.bare} <> ${buttonOf(place)}`),
    )
  }

  async function post(place: Place, name: string, body: Fields) {
    const answer = await server.in(refOf(place))('POST', `/api/${name}`, { body })
    if (answer.status === 201) return answer.item._id
    throw new Error(`POST /api/${name}: the matrix could not make an example: ${answer.status} ${answer.error.message}`)
  }

  /** Adds to a rule of `parent` a user of `sibling` and the door of `own`. */
  function ruleFromAbove() {
    const [rule, account] = [idOf('parent', 'rules'), keyOf('parent')]
    return server.database.asSystem((tx) =>
      tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
        values (${account}, ${rule}, 'who', 'User', ${entryOf(away, 'users')}),
               (${account}, ${rule}, 'where', 'Door', ${idOf('own', 'doors')})`),
    )
  }

  /** Creates a user of `sibling` who is also a member of `own`, with another title there. */
  async function shareUser() {
    const named = { name: 'A shared user', email: 'shared@people.example' }
    const id = await makeItem('sibling', 'users', { ...named, ...ungrouped('users') })
    await server.database.asSystem((tx) =>
      tx.run(sql`insert into membership (membership_user, membership_account, membership_title)
        values (${id}, ${keyOf('own')}, ${`${canaryOf('own')}-title`})`),
    )
  }

  async function takeCensus() {
    const rows = z.object({ id: z.uuid(), account: z.int() })
    const found = new Map<string, z.output<typeof rows>[]>()
    for (const collection of Object.values<Collection>(collections)) {
      const { id, account, name } = tableOf(collection)
      const query = sql`select ${id} as id, ${account} as account from ${name}`
      found.set(collection.name, await server.database.asSystem((tx) => tx.rows(rows, query)))
      for (const place of places) {
        const [first] = rowsOf(found.get(collection.name) ?? [], place)
        if (!first) throw new Error(`GET /api/${collection.name}: the matrix has none in ${place}; see stored-rows.ts`)
        ids.set(`${place}/${collection.name}`, made(place, collection.name) ?? first)
      }
    }
    return found
  }

  function rowsOf(rows: readonly { id: string; account: number }[], place: Place) {
    return rows.filter(({ account }) => account === keyOf(place)).map(({ id }) => id)
  }

  function rowsIn(collection: string, among: ReadonlySet<Place>) {
    return [...among].flatMap((place) => rowsOf(census.get(collection) ?? [], place))
  }

  /**
   * Every audit log names the first administrator, the old accounts' logs name moved items, and an account names its parent:
   * there these ids are no secrets, only the names are.
   */
  function placesOfIds() {
    const found = new Map<string, Set<Place>>()
    const add = (id: string, place: Place) => found.set(id, (found.get(id) ?? new Set()).add(place))
    for (const rows of census.values()) {
      for (const place of places) for (const id of rowsOf(rows, place)) add(id, place)
    }
    for (const place of places) {
      for (const kind of ['commands', 'savedViews']) add(idOf(place, kind), place)
      const above = parentOf(place)
      if (above) add(idOf(above, 'accounts'), place)
    }
    // The rule of `parent` names this door.
    add(idOf('own', 'doors'), 'parent')
    for (const id of [server.userId, ...away.values()]) found.delete(id)
    return found
  }
}

/** The kind under which `idOf` returns a second item, for probes that give it a value of the first. */
export function anotherOf(collection: string) {
  return `another of ${collection}`
}

/** Leaves further users out of the group, so that the account's own user stays its only member. */
function ungrouped(collection: string): Fields {
  return collection === 'users' ? { groups: [] } : {}
}

/** Writable collections, each after those that it refers to. */
function inOrder() {
  const pending = Object.values<Collection>(collections).filter(
    ({ readOnly, name }) => !readOnly && name !== 'accounts',
  )
  const order: string[] = []
  while (pending.length > 0) {
    const ready = pending.findIndex(({ name }) => needs(name).every((other) => order.includes(other)))
    order.push(...pending.splice(Math.max(ready, 0), 1).map(({ name }) => name))
  }
  return order
}

/** Collections that refer to each other, such as users and their groups, do not wait for each other. */
function needs(name: string) {
  return referredTo(name).filter((other) => other !== 'accounts' && !referredTo(other).includes(name))
}

function referredTo(name: string) {
  return fieldsOf(collectionNamed(name)).flatMap(([, schema]) => {
    const meta = metaOf(schema)
    if (meta?.kind === 'reference') return [meta.of]
    return meta?.kind === 'links' ? meta.of.map(({ collection }) => collection) : []
  })
}

export function collectionNamed(name: string): Collection {
  return entryOf(new Map(Object.values<Collection>(collections).map((each) => [each.name, each])), name)
}

function entryOf<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new Error(`the matrix has no ${String(key)}`)
  return value
}
