import { accounts } from '@portcullis/contract/collections/accounts'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { readItem } from '../collections/get.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

/** What somebody may do in an account, and the keys from there upward. */
export type AccessAt = Access & { upward: number[] }
export type Parts = { database: Database; accessIn: (account: string) => Promise<AccessAt> }

const account = z.object({ parent: z.uuid(), version: z.int() })

/**
 * An account below the one that somebody is in, with their rights there: they must be allowed to manage Accounts in it and in the
 * one above it, for a role that is held nearer may be a lesser one. Nobody does to the account that they stand in what could
 * lock them out; what is not in sight is not there.
 */
export async function findAccountBelow({ database, accessIn }: Parts, { access, id }: { access: Access; id: string }) {
  demand(access, { action: 'manage', subject: accounts.subject })
  const item = await database.inAccounts(access.subtree, (tx) =>
    readItem(tx, { collection: accounts, accounts: access.subtree, id }),
  )
  if (item['_id'] === access.account._id) throw new AppError('account_is_current')
  const { parent, version } = account.parse(item)
  return { inside: await managing(accessIn, id), above: await managing(accessIn, parent), item, version }
}

/** The rights in an account, where they suffice to change it and its place. */
export async function managing(accessIn: Parts['accessIn'], id: string) {
  const inside = await accessIn(id)
  demand(inside, { action: 'manage', subject: accounts.subject })
  return inside
}
