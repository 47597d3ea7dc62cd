import { users } from '@portcullis/contract/collections/users'
import type { Access } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { notFound, readItem } from '../collections/get.ts'
import { AppError } from '../errors/app-error.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { SessionPerson } from '../sessions/session-store.ts'
import { managingUsers, type MembershipServices } from './add-accounts.ts'
import { leaveAccount } from './leave-account.ts'
import { accountsOf } from './user-accounts.ts'

type RemoveAccountInput = { access: Access; person: SessionPerson; id: string; account: string }

/**
 * Ends a user's membership in an account. Returns the history entry. Only accounts in sight count as the last one: otherwise
 * the answer would reveal whether the user belongs to others.
 */
export async function removeAccount(
  { database, accessIn, userHooks }: MembershipServices,
  { access, person, id, account }: RemoveAccountInput,
) {
  const own = access.account.key
  await database.inAccounts([own], (tx) => readItem(tx, { collection: users, accounts: [own], id }))
  const place = await managingUsers(accessIn, { account, field: 'account' })
  const inside = { ...place, assumed: access.assumed }
  const held = await accountsOf(database, { user: id, person, requestId: access.requestId })
  if (!held.some(({ _id }) => _id === place.account._id)) throw notFound(users)
  if (held.length === 1) throw new AppError('last_account')
  return database.asSystem(async (tx) => {
    const { key, root } = place.account
    lockTree(tx, { root, turn: 'alone' })
    const item = await readItem(tx, { collection: users, accounts: [key], id })
    await userHooks.beforeDelete?.({ tx, access: inside }, item)
    const entry = await leaveAccount(tx, { user: id, access: inside })
    prove(tx, access)
    return entry
  })
}
