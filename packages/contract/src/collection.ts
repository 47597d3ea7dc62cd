import { z } from 'zod'
import type { Subject } from './abilities.ts'
import { instant, reference } from './fields.ts'

type Shape = z.core.$ZodShape

/**
 * A field whose value takes an ability of its own to be seen and set, in the items where another field says so. With `parts`,
 * only these of the field are guarded, where another part of it says so, or nothing says that it is not so.
 */
export type GuardedField = {
  field: string
  parts?: readonly string[]
  subject: Subject
  where: { field: string; is: string }
}

/**
 * What belongs to an item, is kept elsewhere and ends with it, such as a password: history has none of it. There is some of
 * it where the field `where` has a value.
 */
export type KeptApart = { field: string; where: string }

/**
 * A collection, told once. From this the server makes the generic calls, the client its types, the console its form checks.
 * The groups of fields say who sets them: `required` and `optional` anybody who may write, `fixed` only at creation,
 * `server` nobody but the server, `state` the running installation (kept in `{entity}_state`, without version or history).
 */
export type CollectionDefinition<
  R extends Shape = Shape,
  O extends Shape = Shape,
  F extends Shape = Shape,
  S extends Shape = Shape,
  T extends Shape = Shape,
> = {
  name: string
  entity: string
  subject: Subject
  required: R
  optional: O
  fixed: F
  server: S
  state: T
  searchable: readonly string[]
  /** Fields that one may filter, sort and count by, and parts of fields (`adhoc.until`), which have a column of their own. */
  queryable: readonly string[]
  /** What a list is sorted by when nobody asks: the newest first. */
  newestBy: string
  /** Fields by whose values together the newest items are found at once, however many there are of which value. */
  foundBy: readonly (readonly string[])[]
  /** Logs are written by the server alone and never change. */
  readOnly: boolean
  /** Whether a change is a change of the policy that controllers obey. */
  isPolicy: boolean
  guarded: readonly GuardedField[]
  /** The field that refers to whoever holds an item that has no name of its own. */
  heldBy: string | undefined
  /** What `createSchema` takes besides, and no item shows: the server half makes of it what belongs to the item. */
  atCreation: z.core.$ZodShape
  /** What an item that is made again after it was deleted comes back without. */
  keptApart: readonly KeptApart[]
  /** Fields that only calls of their own change, and that undo puts back all the same. */
  restorable: readonly string[]
  /** The field in whose order, ascending, a log is followed by who must miss nothing: no entry appears behind one that was listed. */
  followedBy: string | undefined
  /** Whose items are heard of in a room of an account: its own, or those of all accounts below as well. */
  roomCovers: 'account' | 'subtree'
  /** Fields that hold items of other collections, and the field that names the collection: guards hold there too. */
  snapshots: { of: string; fields: readonly string[] } | undefined
}

type Asked<R extends Shape, O extends Shape, F extends Shape, S extends Shape, T extends Shape> = Pick<
  CollectionDefinition<R, O, F, S, T>,
  'name' | 'entity' | 'subject' | 'searchable' | 'queryable'
> &
  Partial<CollectionDefinition<R, O, F, S, T>>

const base = {
  _id: z.uuid(),
  account: reference('accounts'),
  version: z.int().min(1),
  createdAt: instant(),
  updatedAt: instant(),
}

const account: 'account' | 'subtree' = 'account'
const noGuards: readonly GuardedField[] = []
const nothingBesides = {}
const nothingApart: readonly KeptApart[] = []
const nothingMore: readonly string[] = []
const notFound: readonly (readonly string[])[] = []

const logBase = { _id: z.uuid(), account: reference('accounts') }

/** Defines a collection of configured things: created, changed, deleted, with history. */
export function defineCollection<
  R extends Shape,
  O extends Shape = Record<never, never>,
  F extends Shape = Record<never, never>,
  S extends Shape = Record<never, never>,
  T extends Shape = Record<never, never>,
>(asked: Asked<R, O, F, S, T> & { required: R; optional: O; fixed: F; server: S; state: T }) {
  const { required, optional, fixed, server, state } = asked
  return {
    newestBy: '_id',
    foundBy: notFound,
    isPolicy: true,
    guarded: noGuards,
    heldBy: undefined,
    atCreation: nothingBesides,
    keptApart: nothingApart,
    restorable: nothingMore,
    followedBy: undefined,
    snapshots: undefined,
    roomCovers: account,
    ...asked,
    readOnly: false,
    queryable: ['_id', 'createdAt', 'updatedAt', ...asked.queryable],
    entitySchema: z.object({ ...base, ...required, ...optional, ...fixed, ...server, ...state }),
    createSchema: z.strictObject({ ...required, ...optional, ...fixed }),
    patchSchema: z.strictObject({ ...required, ...optional, version: z.int().min(1) }).partial(),
  }
}

/** Defines a log: written by the server, read by everybody who may, never changed. */
export function defineLog<S extends Shape>(asked: Asked<never, never, never, S, never> & { server: S }) {
  const none = {}
  return {
    newestBy: '_id',
    foundBy: notFound,
    isPolicy: false,
    guarded: noGuards,
    heldBy: undefined,
    atCreation: nothingBesides,
    keptApart: nothingApart,
    restorable: nothingMore,
    followedBy: undefined,
    snapshots: undefined,
    roomCovers: account,
    ...asked,
    readOnly: true,
    required: none,
    optional: none,
    fixed: none,
    state: none,
    queryable: ['_id', ...asked.queryable],
    entitySchema: z.object({ ...logBase, ...asked.server }),
    createSchema: z.strictObject({}),
    patchSchema: z.strictObject({}),
  }
}

/** Any collection, its fields' types forgotten: what the generic engine works with. */
export type Collection = Omit<CollectionDefinition, 'required' | 'optional' | 'fixed' | 'server' | 'state'> & {
  required: Shape
  optional: Shape
  fixed: Shape
  server: Shape
  state: Shape
  entitySchema: z.ZodObject
  createSchema: z.ZodObject
  patchSchema: z.ZodObject
}

export type EntityOf<C extends { entitySchema: z.ZodType }> = z.output<C['entitySchema']>
export type CreateOf<C extends { createSchema: z.ZodType }> = z.input<C['createSchema']>
export type PatchOf<C extends { patchSchema: z.ZodType }> = z.input<C['patchSchema']>
