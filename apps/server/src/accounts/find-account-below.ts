import { accounts } from '@portcullis/contract/collections/accounts'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { readItem } from '../collections/get.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { AccessIn } from '../http/access-in.ts'

export type AccountServices = { database: Database; accessIn: AccessIn }

const account = z.object({ parent: z.uuid(), version: z.int() })

/**
 * An account below the current one, with the user's rights there. They must be allowed to manage Accounts in it and in
 * its parent, since a nearer role may allow less. The current account is refused, because the change could lock the
 * user out; accounts out of scope are not found.
 */
export async function findAccountBelow(
  { database, accessIn }: AccountServices,
  { access, id }: { access: Access; id: string },
) {
  demand(access, { action: 'manage', subject: accounts.subject })
  const item = await database.inAccounts(access.subtree, (tx) =>
    readItem(tx, { collection: accounts, accounts: access.subtree, id }),
  )
  if (item['_id'] === access.account._id) throw new AppError('account_is_current')
  const { parent, version } = account.parse(item)
  return { inside: await managing(accessIn, id), above: await managing(accessIn, parent), item, version }
}

/** The user's rights in an account; refused unless they may manage Accounts there. */
export async function managing(accessIn: AccessIn, id: string) {
  const inside = await accessIn(id)
  demand(inside, { action: 'manage', subject: accounts.subject })
  return inside
}
