import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { notFound, readItem } from '../collections/get.ts'
import { AppError } from '../errors/app-error.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { SessionPerson } from '../sessions/session-store.ts'
import { managingUsers, type MembershipServices } from './add-accounts.ts'
import { leaveAccount } from './leave-account.ts'
import { accountsInSight } from './user-accounts.ts'

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
  const visible = await accountsInSight(database, { person, requestId: access.requestId })
  return database.asSystem(async (tx) => {
    const { key, root } = place.account
    lockTree(tx, { root, turn: 'alone' })
    // Serialises removals from accounts of different trees: one of them must find the last account.
    await tx.run(sql`select from person where person_id = ${id} for no key update`)
    const held = await tx.rows(
      z.object({ account: z.int() }),
      sql`select membership_account as account from membership
           where membership_user = ${id} and membership_account = any(${visible}::int[])`,
    )
    if (!held.some(({ account: other }) => other === key)) throw notFound(users)
    if (held.length === 1) throw new AppError('last_account')
    const item = await readItem(tx, { collection: users, accounts: [key], id })
    await userHooks.beforeDelete?.({ tx, access: inside }, item)
    const entry = await leaveAccount(tx, { user: id, access: inside })
    prove(tx, access)
    return entry
  })
}
