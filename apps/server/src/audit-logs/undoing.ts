import type { Collection } from '@portcullis/contract/collection'
import { fieldProblem } from '@portcullis/contract/errors/field-problem'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { readItem } from '../collections/get.ts'
import { seenBy } from '../abilities/seen-by.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Entry } from './find-entry.ts'

/** The context of an undo: the entry, the user's rights in its account, and what its collection adds to the calls. */
export type Undoing = {
  collection: Collection
  hooks: CollectionHooks
  access: Access
  entry: Entry & { item: string }
}

/** The item of the entry as it is now, if it still exists. */
export async function currentItem(tx: Transaction, { collection, access, entry }: Undoing) {
  try {
    return await readItem(tx, { collection, accounts: await accountsOf(tx, { access, entry }), id: entry.item })
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

/** The item as the user may see it. */
export async function visibleItem(tx: Transaction, { collection, access, entry }: Undoing) {
  const shown = seenBy(collection, access.rules)
  return readItem(tx, { collection: shown, accounts: await accountsOf(tx, { access, entry }), id: entry.item })
}

/** The account of the entry and, if the item is an account, that account: its deletion is recorded in its parent. */
async function accountsOf(tx: Transaction, { access, entry }: Pick<Undoing, 'access' | 'entry'>) {
  const own = await tx.rows(
    z.object({ key: z.int() }),
    sql`select account_key as key from account where account_id = ${entry.item}`,
  )
  return [access.account.key, ...own.map(({ key }) => key)]
}

export function isGone() {
  return new AppError('deleted_since')
}

/** A value that was valid may no longer be. */
export function noLongerValid({ issues }: z.ZodError) {
  const fields = Object.fromEntries(issues.map((issue) => [issue.path.join('.'), fieldProblem(issue)]))
  return new AppError('no_longer_valid', { fields: Object.keys(fields) }, { fields })
}
