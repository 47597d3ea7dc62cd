import { isDeepStrictEqual } from 'node:util'
import type { Collection } from '@portcullis/contract/collection'
import { problem } from '@portcullis/contract/errors/problem'
import { isSensitiveChange } from '@portcullis/contract/sensitive-fields'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import type { Database, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { Item, Recorded } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'
import { parseLongInput } from '../input/one-long-step.ts'
import { requireFreshSignIn } from '../sessions/require-fresh-sign-in.ts'
import { unusable } from '../errors/unusable.ts'
import { changesOfLinks } from './changes-of-links.ts'
import { requireId, readItem } from './get.ts'
import { linksIn, writeLinks } from './links.ts'
import { recordChangeOfItem } from './record-change-of-item.ts'
import { checkReferences } from './references.ts'
import { seenBy } from '../abilities/seen-by.ts'
import type { CollectionHooks } from './collection-hooks.ts'
import { updateRow } from './write-rows.ts'

type PatchInput = {
  collection: Collection
  hooks: CollectionHooks
  access: Access
  id: string
  body: unknown
  /** The If-Match header. */
  ifMatch?: string | undefined
}

/**
 * Changes the fields that the body sets. Returns the item with the id of its history entry. After a concurrent change
 * by another user it refuses with 409 and the current item.
 */
export async function patch(database: Database, input: PatchInput) {
  return workAs(database, input.access, await patching(input))
}

/** Checks such a request. Returns the work that changes the item, for a transaction. */
export async function patching({ collection, hooks, access, id, ...request }: PatchInput) {
  const parsed = await parsePatch({ collection, access, ...request })
  return (tx: Transaction) => patchItem(tx, { collection, hooks, access, id, ...parsed })
}

/** The changes of such a request, the fields that must be as they were read, and the version that it expects. */
export async function parsePatch({ collection, access, body, ifMatch }: Omit<PatchInput, 'hooks' | 'id'>) {
  demand(access, { action: 'manage', subject: collection.subject })
  const { asRead, changing } = partsOf(collection, body)
  const long = { key: `${access.account.root}`, schema: collection.patchSchema, input: changing }
  const { version, ...changes } = namedOnly(changing, await parseLongInput(long))
  return { changes, asRead, expected: expectedVersion({ version: z.int().optional().parse(version), ifMatch }) }
}

type PatchItemInput = {
  collection: Collection
  hooks: CollectionHooks
  access: Access
  id: string
  changes: Item
  /** Fields that a patch cannot change, as the body sets them. */
  asRead?: Item
  expected: number | undefined
  /** The history entry that this change undoes. */
  undoes?: string
}

/** Applies parsed changes to an item inside the caller's transaction. */
export async function patchItem(tx: Transaction, input: PatchItemInput): Promise<Recorded> {
  const { collection, hooks, access, id, changes, asRead = {}, expected, undoes } = input
  requireId(collection, id)
  const { key: account, root } = access.account
  const links = linksIn(collection, changes)
  if (collection.isPolicy) lockTree(tx, { root, turn: links.length > 0 ? 'alone' : 'beside' })
  lockItem(tx, id)
  const before = await readItem(tx, { collection, accounts: [account], id })
  const version = z.int().parse(before['version'])
  const shown = seenBy(collection, access.rules)
  const answer = () => readItem(tx, { collection: shown, accounts: [account], id })
  if (expected !== undefined && expected !== version) throw conflict(await answer())
  if (Object.keys(asRead).length > 0) demandUnchanged(asRead, await answer())
  await checkReferences(tx, { collection, item: changes, access })
  const whole = { ...changes, ...(await hooks.beforePatch?.({ tx, access }, { before, changes })) }
  if (isSensitiveChange(collection, { before, changes: whole })) requireFreshSignIn(access)
  const [isWritten, linked, after] = await Promise.all([
    updateRow(tx, { collection, id, account, version, changes: whole }),
    writeLinks(tx, { collection, account, id, links }),
    readItem(tx, { collection, accounts: [account], id }),
  ])
  if (!isWritten) throw conflict(await answer())
  const changed = Object.keys(after).filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]))
  const entry = await recordChangeOfItem(tx, {
    access,
    collection,
    account,
    item: id,
    action: 'patch',
    before: pick(before, changed),
    after: pick(after, changed),
    undoes,
    furtherChanges: await changesOfLinks(tx, { account, item: id, links: linked }),
  })
  return { item: shown === collection ? after : await answer(), entry }
}

/** Advisory-lock namespace. */
const itemLock = 7_361_908

/** Serialises concurrent patches of one item. */
function lockItem(tx: Transaction, id: string) {
  tx.send(prepared(sql`select pg_advisory_xact_lock(${itemLock}, hashtext(${id}))`))
}

/**
 * The parts of a body: the fields that a patch can change, with the unknown ones, and those of an item as it was read
 * (specification §7: an item that has an `_id` is saved by a patch). Run-time state is left out, because it often
 * changes between reading and saving.
 */
function partsOf({ patchSchema, entitySchema, fields }: Collection, body: unknown) {
  const item = z.record(z.string(), z.unknown()).safeParse(body).data
  if (!item) return { asRead: {}, changing: body }
  const isAsRead = (field: string) =>
    Object.hasOwn(entitySchema.shape, field) && !Object.hasOwn(patchSchema.shape, field)
  const isComparable = (field: string) => field !== 'updatedAt' && !Object.hasOwn(fields.state, field)
  const names = Object.keys(item)
  return {
    asRead: pick(
      item,
      names.filter((field) => isAsRead(field) && isComparable(field)),
    ),
    changing: pick(
      item,
      names.filter((field) => !isAsRead(field)),
    ),
  }
}

/** Refuses fields that cannot be changed, unless they are as they were read. */
export function demandUnchanged(asRead: Item, current: Item) {
  const changed = Object.keys(asRead).filter((field) => !isDeepStrictEqual(asRead[field], current[field]))
  if (changed.length === 0) return
  const fields = Object.fromEntries(changed.map((field) => [field, problem('not_changeable')]))
  throw new AppError('bad_request', {}, { fields })
}

/** A patch changes only the fields in its body, so defaults of the schema are dropped. */
function namedOnly(body: unknown, parsed: Item) {
  const named = z.record(z.string(), z.unknown()).parse(body)
  return pick(
    parsed,
    Object.keys(parsed).filter((field) => field in named),
  )
}

/** The version that the change is based on, from the body or the header. */
function expectedVersion({ version, ifMatch }: { version: number | undefined; ifMatch: string | undefined }) {
  if (ifMatch === undefined) return version
  const [, , digits] = /^("?)(\d{1,9})\1$/.exec(ifMatch) ?? []
  if (digits === undefined) throw unusable('If-Match', problem('version_missing'))
  if (version !== undefined && version !== Number(digits)) throw unusable('If-Match', problem('version_differs'))
  return Number(digits)
}

export function pick(item: Item, fields: readonly string[]): Item {
  return Object.fromEntries(fields.map((field) => [field, item[field]]))
}

export function conflict(item: Item) {
  return new AppError('conflict', {}, { item })
}
