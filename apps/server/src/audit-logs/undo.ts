import { isAllowed } from '@portcullis/contract/abilities'
import type { Undone } from '@portcullis/contract/calls/audit-logs'
import type { Collection } from '@portcullis/contract/collection'
import { auditLogs, plainActions } from '@portcullis/contract/collections/audit-logs'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { type Access, demand } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { notFound } from '../collections/get.ts'
import { withNamedHolder } from '../collections/with-named-holder.ts'
import { removeItem } from '../collections/remove.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import type { Database, Transaction } from '../database/database.ts'
import { lockTree } from '../history/lock-tree.ts'
import { AppError } from '../errors/app-error.ts'
import { type Entry, findEntry } from './find-entry.ts'
import { undoDelete } from './undo-delete.ts'
import { undoPatch } from './undo-patch.ts'
import { currentItem, isGone, type Undoing } from './undoing.ts'

type UndoOptions = {
  database: Database
  hooksByCollection: Readonly<Record<string, CollectionHooks>>
  /** The user's rights in another account. */
  accessIn: (account: string) => Promise<Access>
}

const opposites = { create: undoCreate, patch: undoPatch, delete: undoDelete } as const

/**
 * Undoes one change in the account where it was made, with the user's rights there: runs the opposite call, with its
 * checks, and records a new change. An entry is visible to users who may view the audit log, and to the user who made
 * the change.
 */
export async function undo(
  { database, hooksByCollection, accessIn }: UndoOptions,
  { access, id }: { access: Access; id: string },
) {
  const entry = await findEntry(database, { accounts: access.subtree, id })
  if (!entry) throw notFound(auditLogs)
  const inside = entry.account === access.account.key ? access : await accessIn(entry.accountId).catch(deletedMeanwhile)
  const isOwn = entry.actor === access.person._id
  if (!isOwn && !isAllowed(inside.rules, { action: 'view', subject: auditLogs.subject })) throw notFound(auditLogs)
  const { action, collection, item } = undoable(entry)
  demand(inside, { action: 'manage', subject: collection.subject })
  const hooks = hooksByCollection[collection.name] ?? {}
  const writing = { access: inside, collection, hooks, id: item, values: () => entry.before ?? {} }
  return withNamedHolder(database, writing, () =>
    database.inAccounts(inside.subtree, async (tx): Promise<Undone> => {
      await lockScope(tx, inside)
      const undoing = { collection, hooks, access: inside, entry: { ...entry, item } }
      const done = await opposites[action](tx, undoing).catch(deletedMeanwhile)
      prove(tx, access)
      return { collection: collection.name, ...done }
    }),
  )
}

/** Deletes the created item with the checks of the delete call: refused while something refers to it. */
async function undoCreate(tx: Transaction, undoing: Undoing) {
  const { collection, hooks, access, entry } = undoing
  if (!(await currentItem(tx, undoing))) throw isGone()
  const removed = await removeItem(tx, { collection, hooks, access, id: entry.item, undoes: entry.id })
  return { action: 'delete' as const, entry: removed, item: null, notRestored: [] }
}

function undoable({ action, collection: name, item }: Entry) {
  if (item === null || isPlain(action)) throw new AppError('nothing_to_undo')
  const collection = Object.values<Collection>(collections).find((each) => each.name === name)
  if (!collection || collection.readOnly) throw new AppError('not_undoable', { collection: name })
  return { action, collection, item }
}

function isPlain(action: Entry['action']): action is (typeof plainActions)[number] {
  return plainActions.some((plain) => plain === action)
}

/** Reports an item or account that was deleted concurrently as deleted. */
function deletedMeanwhile(error: unknown): never {
  const isAbsent = error instanceof AppError && (error.code === 'not_found' || error.code === 'account_refused')
  throw isAbsent ? isGone() : error
}

/**
 * Locks the tree, so the compared values stay unchanged and concurrent undos of one entry run one after the other. Then
 * refreshes the scope: an account may have been restored while this waited.
 */
async function lockScope(tx: Transaction, { account }: Access) {
  lockTree(tx, { root: account.root, turn: 'alone' })
  await tx.run(sql`select set_config('app.accounts', array(select account_closure_descendant from account_closure
    where account_closure_ancestor = ${account.key})::text, true)`)
}
