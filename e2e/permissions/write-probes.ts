import type { Collection } from '@portcullis/contract/collection'
import { collectionPath, type CollectionVerb } from '@portcullis/contract/collection-calls'
import { metaOf } from '@portcullis/contract/fields'
import type { z } from 'zod'
import { allBelow, exampleItem, type Fields, fieldsOf, linkedValue, ownRights } from './example-item.ts'
import type { Context, Outcome } from './expected-answer.ts'
import { canaryOf } from './marks.ts'
import { type Place, places, type Target, treeBelow } from './places.ts'
import { type Attempt, atEach, badRequest, created, done, forbidden, isIn, notFound, ok, type Probe } from './probe.ts'
import { staleCookie } from './fresh-session.ts'
import { may } from './role-table.ts'
import { freshSignInNeeded } from './stale-sessions.ts'
import { anotherOf, type World } from './world.ts'

type Write = { world: World; collection: Collection }

const unknownReference: Outcome = { status: 422, code: 'unknown_reference' }
const readOnly: Outcome = { status: 405, code: 'read_only' }
const taken: Outcome = { status: 409, code: 'taken' }

/** References that must be in the item's own account, not in one below. */
const sameAccount = ['credentials.user', 'floorPlans.site']

/** Fields whose values are unique in an account, or in the installation, where every user may see that one is taken. */
const unique: Record<string, { field: string; within: 'account' | 'installation' }> = {
  units: { field: 'serial', within: 'account' },
  credentials: { field: 'number', within: 'account' },
  accounts: { field: 'ref', within: 'installation' },
  users: { field: 'email', within: 'account' },
}

export function createProbes(write: Write): Probe[] {
  const path = collectionPath(write.collection, 'create')
  const make = (account: Place, fields: Fields = {}) => ({ path, body: { ...example(write, account), ...fields } })
  return [
    { placement: 'plain', what: 'an item', send: ({ account }) => make(account), expects: () => created },
    ...['account', '_id'].flatMap((field) =>
      atEach((target) => ({
        placement: 'body',
        what: field,
        send: ({ account }) => make(account, { [field]: valueAsRead(write, { field, target }) }),
        expects: () => badRequest,
      })),
    ),
    ...sensitiveProbes(write, ({ account }, fields) => make(account, fields)),
    ...bodyProbes(write, { right: created, send: ({ account }, fields) => make(account, fields) }),
    ...takenProbes(write, { right: created, send: ({ account }, fields) => make(account, fields) }),
  ]
}

export function patchProbes(write: Write): Probe[] {
  const { world, collection } = write
  const scratch = scratchItems(write)
  const idFor = (target: Target, { account, succeeds }: Attempt) =>
    succeeds && target === account ? scratch(target) : world.idOf(target, collection.name)
  const patch = async (target: Target, { attempt, body }: { attempt: Attempt; body: Fields }) => ({
    path: collectionPath(collection, 'patch', await idFor(target, attempt)),
    body,
  })
  const send = (attempt: Attempt, body: Fields) => patch(attempt.account, { attempt, body })
  return [
    ...atEach((target) => ({
      placement: 'path',
      what: 'id',
      send: (attempt) => patch(target, { attempt, body: change(write, attempt.account) }),
      expects: ({ account }) => (target === account ? ok : notFound),
      knows: accountAlone,
      isNarrowedByFilter: true,
    })),
    ...atEach((target) => ({
      placement: 'path',
      what: 'id, stale',
      send: (attempt) => patch(target, { attempt, body: { ...change(write, attempt.account), version: 999_999 } }),
      expects: ({ account }) => (target === account ? { status: 409, code: 'conflict' } : notFound),
      knows: accountAlone,
      isNarrowedByFilter: true,
    })),
    // An item may be sent as it was read, but this cannot move it to another account, or make it another item.
    ...['account', '_id'].flatMap((field) =>
      atEach((target) => ({
        placement: 'body',
        what: field,
        send: async (attempt) => {
          const value = field === '_id' ? await idFor(target, attempt) : valueAsRead(write, { field, target })
          return send(attempt, { [field]: value })
        },
        expects: ({ account }) => (target === account ? ok : badRequest),
        knows: accountAlone,
      })),
    ),
    ...sensitiveProbes(write, (attempt, fields) => send({ ...attempt, succeeds: false }, fields)),
    ...bodyProbes(write, { right: ok, send }),
    ...takenProbes(write, {
      right: ok,
      // An item may keep its own value, so a second item receives the taken one.
      send: (attempt, fields) => {
        if (attempt.succeeds) return send(attempt, fields)
        return {
          path: collectionPath(collection, 'patch', world.idOf(attempt.account, anotherOf(collection.name))),
          body: fields,
        }
      },
    }),
  ]
}

/** A write of a log that does not take it: the answer does not depend on the id. */
export function refusedProbes({ world, collection }: Write, verb: CollectionVerb): Probe[] {
  return atEach((target) => ({
    placement: 'path',
    what: 'id',
    send: () => ({ path: collectionPath(collection, verb, world.idOf(target, collection.name)), body: {} }),
    expects: () => readOnly,
  }))
}

export function deleteProbes({ world, collection }: Write): Probe[] {
  const { name } = collection
  // Only an empty account can be deleted.
  const right: Outcome = name === 'accounts' ? { status: 422, code: 'account_not_empty' } : done
  return atEach((target) => ({
    placement: 'path',
    what: 'id',
    send: async ({ account, succeeds }) => {
      const isOwn = succeeds && target === account
      const id = isOwn ? await world.makeItem(account, name) : world.idOf(target, name)
      return { path: collectionPath(collection, 'delete', id) }
    },
    expects: ({ account }) => (target === account ? right : notFound),
    knows: accountAlone,
    isNarrowedByFilter: true,
  }))
}

function valueAsRead({ world, collection }: Write, { field, target }: { field: string; target: Target }) {
  return world.idOf(target, field === 'account' ? 'accounts' : collection.name)
}

type Sending = { right: Outcome; send: (attempt: Attempt, fields: Fields) => ReturnType<Probe['send']> }

/** A role that users with fewer rights may not give. */
const role = 'accessManager'

/** Giving a user a role in a session that is not fresh. */
function sensitiveProbes({ world, collection }: Write, send: Sending['send']): Probe[] {
  if (collection.name !== 'users') return []
  return [
    {
      placement: 'body',
      what: 'a role, with a session that is not fresh',
      send: async (attempt) => ({ ...(await send(attempt, { role })), ...(await staleCookie(world, attempt)) }),
      expects: ({ persona: { rights } }) =>
        rights !== undefined && may(rights, 'manage', role) ? freshSignInNeeded : forbidden,
    },
  ]
}

/** Ids of other items in every field that accepts them. */
function bodyProbes({ world, collection }: Write, { right, send }: Sending): Probe[] {
  const at = (schema: z.core.$ZodType, target: Target) => linkedValue(schema, (name) => world.idOf(target, name))
  const referring = fieldsOf(collection).filter(([field, schema]) => {
    const isSet = right === created || field in collection.patchSchema.shape
    return isSet && at(schema, 'absent') !== undefined
  })
  const isParent = (field: string) => collection.name === 'accounts' && field === 'parent'
  const accepted = (field: string, { account, covers }: Context) => {
    const isRefusedBelow = allBelow.includes(`${collection.name}.${field}`) && !treeBelow(account).isSubsetOf(covers)
    return isRefusedBelow ? forbiddenBelow : right
  }
  const single = referring.flatMap(([field, schema]) =>
    atEach((target) => ({
      placement: 'body',
      what: field,
      send: (attempt) => send(attempt, { [field]: at(schema, target) }),
      expects: (context) => {
        const { account, covers, persona } = context
        const { rights } = persona
        const subject = ownRights[collection.name]?.[field]
        if (subject && !(rights !== undefined && may(rights, 'manage', subject))) return forbidden
        const isSame = sameAccount.includes(`${collection.name}.${field}`)
        // They see the account, because they have a role in it that does not allow this.
        if (isParent(field) && isIn(treeBelow(account).difference(covers), target)) return forbidden
        return isIn(isSame ? new Set([account]) : covers, target) ? accepted(field, context) : unknownReference
      },
      knows: ({ account, covers }) => (isParent(field) ? treeBelow(account) : covers),
      ...(isParent(field) ? { names: ({ account }: Context) => treeBelow(account) } : {}),
    })),
  )
  const mixed = referring.flatMap(([field, schema]) => {
    if (metaOf(schema)?.kind !== 'links') return []
    return arrangements.flatMap(({ what, arrange }) =>
      atEach((target) => ({
        placement: 'body',
        what: `${field}, ${what}`,
        send: (attempt) => {
          const lists = { own: [at(schema, attempt.account)].flat(), other: [at(schema, target)].flat() }
          return send(attempt, { [field]: arrange(lists) })
        },
        expects: (context) => (isIn(context.covers, target) ? accepted(field, context) : unknownReference),
        knows: ({ covers }) => covers,
      })),
    )
  })
  const confused = referring.flatMap(([field, schema]) =>
    atEach((target) => ({
      placement: 'body',
      what: `${field}, the id of a contact`,
      send: (attempt) => send(attempt, { [field]: linkedValue(schema, () => world.idOf(target, 'contacts')) }),
      expects: () => unknownReference,
      knows: () => nowhere,
    })),
  )
  return [...single, ...mixed, ...confused]
}

const forbiddenBelow: Outcome = { status: 403, code: 'forbidden_below' }

const nowhere: ReadonlySet<Place> = new Set()

type Lists = { own: readonly unknown[]; other: readonly unknown[] }

/** The positions of another account's item among the user's own. */
const arrangements = [
  { what: 'among others', arrange: ({ own, other }: Lists) => [...own, ...other] },
  { what: 'before others', arrange: ({ own, other }: Lists) => [...other, ...own] },
  { what: 'between others', arrange: ({ own, other }: Lists) => [...own, ...other, ...own] },
  { what: 'twice', arrange: ({ other }: Lists) => [...other, ...other] },
] as const

/** Values already taken: refused in the same account only, or in all accounts with one answer if unique in the installation. */
function takenProbes({ world, collection }: Write, { right, send }: Sending): Probe[] {
  const { field = '', within } = unique[collection.name] ?? {}
  if (!within || (right !== created && !(field in collection.patchSchema.shape))) return []
  return atEach((target) => ({
    placement: 'taken',
    what: field,
    send: (attempt) => send(attempt, { [field]: valueOf({ world, collection, field, target }) }),
    expects: ({ account }) => {
      const isTaken = within === 'account' ? target === account : target !== 'absent'
      return isTaken ? taken : right
    },
    knows: ({ account }) => (within === 'account' ? new Set([account]) : new Set(places)),
    ...(within === 'account' ? { undo: (account) => world.free(account, { collection: collection.name, field }) } : {}),
  }))
}

type Value = { world: World; collection: Collection; field: string; target: Target }

function valueOf({ world, collection, field, target }: Value) {
  if (target !== 'absent') return world.itemOf(target, collection.name)[field]
  return exampleItem(collection, { place: 'absent', idOf: () => undefined })[field]
}

function example({ world, collection }: Write, account: Place) {
  return exampleItem(collection, { place: account, idOf: (name) => world.idOf(account, name) })
}

/** A text field of the item that contains its account's canary. */
function change(write: Write, account: Place): Fields {
  const [first] = Object.entries(example(write, account)).filter(
    ([field, value]) =>
      field in write.collection.patchSchema.shape && typeof value === 'string' && value.includes(canaryOf(account)),
  )
  return first ? Object.fromEntries([first]) : {}
}

/** An item of each account that probes may change; for accounts, the account itself. */
function scratchItems({ world, collection }: Write) {
  const made = new Map<Place, Promise<string>>()
  return (place: Place) => {
    const id =
      made.get(place) ??
      (collection.name === 'accounts'
        ? Promise.resolve(world.idOf(place, collection.name))
        : world.makeItem(place, collection.name))
    made.set(place, id)
    return id
  }
}

function accountAlone({ account }: Context) {
  return new Set([account])
}
