import type { Collection, CreateOf, PatchOf } from '@portcullis/contract/collection'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { tableOf } from '@portcullis/server/query/columns'
import type { Random } from '../random.ts'

export type Item = Record<string, unknown>

/**
 * One change as the audit log records it: the values before and after, all of them for a creation, otherwise the changed
 * ones.
 */
export type ChronicleEntry = {
  at: number
  by: { _id: string; name: string }
  /** Ids of the account and the item. */
  account: string
  collection: Collection
  item: string
  before: Item | null
  after: Item
}

type Made<C extends Collection> = {
  /** Ref of the account. */
  in: string
  by: string
  at: number
  /** The name by which the chronicle finds it. */
  name: string
  item: CreateOf<C>
  /** The fields that only the server sets. */
  more?: Item
}
type Changed<C extends Collection> = { by: string; at: number; changes: PatchOf<C>; more?: Item }

export type Chronicle = ReturnType<typeof beginChronicle>

/**
 * Records the configuration steps of users with their times, before any of them is stored. Rows, their history and the
 * policy at any moment are derived from it.
 */
export function beginChronicle(random: Random) {
  const ids = new Map<string, string>()
  const items = new Map<string, { collection: Collection; item: Item }>()
  const entries: ChronicleEntry[] = []

  return {
    entries: () => entries.toSorted((a, b) => a.at - b.at),
    /** The final state of all items, in the order of their creation. */
    items: () => [...items.values()],
    idOf,
    knows: (collection: Collection, name: string) => ids.has(keyOf(collection, name)),
    find,

    /** An item that existed before the chronicle. */
    know(collection: Collection, name: string, id: string) {
      ids.set(keyOf(collection, name), id)
    },

    create<C extends Collection>(collection: C, { in: ref, by, at, name, item, more = {} }: Made<C>) {
      if (ids.has(keyOf(collection, name))) throw new Error(`"${name}" is in ${collection.name} already`)
      const id = makeId(at, random)
      ids.set(keyOf(collection, name), id)
      const moment = new Date(at).toISOString()
      const account = collection.name === 'accounts' ? id : accountOf(ref)
      const base = { _id: id, account, version: 1, createdAt: moment, updatedAt: moment }
      const whole = inOrder(
        collection,
        collection.entitySchema.parse({ ...collection.createSchema.parse(item), ...more, ...base }),
      )
      items.set(id, { collection, item: whole })
      entries.push({ at, by: personOf(by), account, collection, item: id, before: null, after: whole })
    },

    change<C extends Collection>(collection: C, name: string, { by, at, changes, more = {} }: Changed<C>) {
      const id = idOf(collection, name)
      const before = find(collection, name)
      const version = z.int().parse(before['version']) + 1
      const updatedAt = new Date(at).toISOString()
      const changed = { ...before, ...changes, ...more, version, updatedAt }
      const after = inOrder(collection, collection.entitySchema.parse(changed))
      const fields = Object.keys(after).filter(
        (field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]),
      )
      items.set(id, { collection, item: after })
      entries.push({
        at,
        by: personOf(by),
        account: z.string().parse(after['account']),
        collection,
        item: id,
        before: pick(before, fields),
        after: pick(after, fields),
      })
    },
  }

  function idOf(collection: { name: string }, name: string) {
    const id = ids.get(keyOf(collection, name))
    if (id === undefined) throw new Error(`"${name}" is not in ${collection.name}`)
    return id
  }

  function find(collection: Collection, name: string): Item {
    const stored = items.get(idOf(collection, name))
    if (!stored) throw new Error(`"${name}" was there before the chronicle began`)
    return stored.item
  }

  function accountOf(ref: string) {
    return idOf({ name: 'accounts' }, ref)
  }

  function personOf(name: string) {
    return { _id: idOf({ name: 'users' }, name), name }
  }
}

/** An id for that moment, from seeded random numbers. */
export function makeId(at: number, random: Random): string {
  const chance = Uint32Array.from({ length: 4 }, () => random.next() * 2 ** 32)
  return uuidv7({ msecs: at, random: new Uint8Array(chance.buffer) })
}

function keyOf({ name: collection }: { name: string }, name: string) {
  return `${collection} ${name}`
}

/** Links in the order of the database, and times in its format. */
function inOrder(collection: Collection, item: Item): Item {
  const { columns } = tableOf(collection)
  return Object.fromEntries(
    Object.entries(item).map(([field, value]) => {
      const column = columns.get(field)
      if (column?.link) return [field, sorted(value)]
      if (column?.kind === 'instant' && typeof value === 'string') return [field, new Date(value).toISOString()]
      return [field, value]
    }),
  )
}

const linked = z.array(z.union([z.string(), z.object({ kind: z.string(), id: z.string() })]))

function sorted(links: unknown) {
  const key = (link: z.output<typeof linked>[number]) => (typeof link === 'string' ? link : `${link.kind} ${link.id}`)
  return linked.parse(links).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

function pick(item: Item, fields: readonly string[]): Item {
  return Object.fromEntries(fields.map((field) => [field, item[field]]))
}
