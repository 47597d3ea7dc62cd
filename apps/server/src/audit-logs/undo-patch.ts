import { isDeepStrictEqual } from 'node:util'
import { restorableFields } from '@portcullis/contract/restorable-fields'
import { z } from 'zod'
import { type LinkMeta, tableOf } from '../query/columns.ts'
import { patchItem } from '../collections/patch.ts'
import type { Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'
import { currentItem, isGone, noLongerValid, visibleItem, type Undoing } from './undoing.ts'
import { withDeletedNamed } from './with-deleted-named.ts'
import { linkEntries } from '../query/link-entries.ts'

/** Restores the fields that the change touched, if they have not changed since. */
export async function undoPatch(tx: Transaction, undoing: Undoing) {
  const { collection, hooks, access, entry } = undoing
  const now = await currentItem(tx, undoing)
  if (!now) throw isGone()
  const [before, after] = [entry.before ?? {}, entry.after ?? {}]
  const { changes, since, notRestored } = compare(undoing, { before, after, now })
  if (since.length > 0) throw changedSince(since, await visibleItem(tx, undoing))
  if (Object.keys(changes).length === 0) throw nothingToRestore(notRestored)
  const expected = z.int().parse(now['version'])
  const restoredFields = parsed(undoing, changes)
  const { item, entry: patched } = await withDeletedNamed(tx, { collection, item: restoredFields }, () =>
    patchItem(tx, { collection, hooks, access, id: entry.item, changes: restoredFields, expected, undoes: entry.id }),
  )
  return { action: 'patch' as const, entry: patched, item, notRestored }
}

type Compared = { before: Item; after: Item; now: Item }

function compare({ collection }: Undoing, { before, after, now }: Compared) {
  const changes: Item = {}
  const since: string[] = []
  const notRestored: string[] = []
  const { columns } = tableOf(collection)
  const restorable = restorableFields(collection)
  for (const field of Object.keys(after)) {
    if (ownFields.includes(field) || field in collection.fields.state) continue
    const [was, left, is] = [before[field], after[field], now[field]]
    const link = columns.get(field)?.link
    if (!(field in restorable.shape)) {
      notRestored.push(field)
    } else if (link) {
      const restored = withoutChange(link, { was, left, is })
      if (restored) changes[field] = restored
      else since.push(field)
    } else if (isDeepStrictEqual(is, left)) {
      changes[field] = was
    } else {
      since.push(field)
    }
  }
  return { changes, since, notRestored }
}

/** These change with every write, also with an undo. */
const ownFields = ['version', 'updatedAt']

/** A value that was valid may no longer be. */
function parsed({ collection }: Undoing, changes: Item): Item {
  const result = restorableFields(collection).safeParse(changes, { reportInput: true })
  if (result.success) return Object.fromEntries(Object.keys(changes).map((field) => [field, result.data[field]]))
  throw noLongerValid(result.error)
}

function changedSince(since: readonly string[], item: Item) {
  return new AppError('changed_since', { fields: since }, { at: since, item })
}

function nothingToRestore(notRestored: readonly string[]) {
  if (notRestored.length === 0) return new AppError('nothing_to_restore')
  return new AppError('not_restorable', { fields: notRestored })
}

type Values = { was: unknown; left: unknown; is: unknown }

/**
 * Reverts one change of a list of members, groups or subjects and keeps all others. Undefined if an added entry has
 * been removed since, or a removed one added.
 */
function withoutChange(meta: LinkMeta, { was, left, is }: Values): unknown {
  const [before, after, now] = [keysOf(meta, was), keysOf(meta, left), keysOf(meta, is)]
  const added = after.difference(before)
  const removed = before.difference(after)
  if (!added.isSubsetOf(now) || !removed.isDisjointFrom(now)) return undefined
  return [...now.difference(added).union(removed)].map((key) => valueOf(meta, key))
}

function keysOf(meta: LinkMeta, value: unknown) {
  return new Set(linkEntries(meta, value).map(({ kind, id }) => `${kind}/${id}`))
}

function valueOf({ shape }: LinkMeta, key: string) {
  const slash = key.indexOf('/')
  const id = key.slice(slash + 1)
  return shape === 'ids' ? id : { kind: key.slice(0, slash), id }
}
