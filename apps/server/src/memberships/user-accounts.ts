import { isAllowed } from '@portcullis/contract/abilities'
import { userAccounts } from '@portcullis/contract/calls/memberships'
import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { resolveAccess } from '../abilities/resolve-access.ts'
import type { Database } from '../database/database.ts'
import type { SessionPerson } from '../sessions/session-store.ts'

type AccountsOfInput = { user: string; person: SessionPerson; requestId: string }

/**
 * The accounts of a user in which the person of the request may view users. Its work depends on that person only, so that
 * its duration does not reveal how many other accounts the user has.
 */
export async function accountsOf(database: Database, { user, ...viewer }: AccountsOfInput) {
  const visible = await accountsInSight(database, viewer)
  return database.inAccounts(visible, (tx) =>
    tx.rows(
      userAccounts.output.shape.items.element,
      sql`select account_id as _id, account_ref as ref, account_name as name, user_role as role, user_status as status,
             user_email is not null and not user_verified as "isInvited"
            from "user" join account on account_key = user_account
           where user_id = ${user} and user_account = any(${visible}::int[]) order by lower(account_name), account_key`,
    ),
  )
}

/** The keys of the accounts in which this person may view users. */
export async function accountsInSight(database: Database, { person, requestId }: Omit<AccountsOfInput, 'user'>) {
  if (person.hyper) {
    const all = await database.asSystem((tx) =>
      tx.rows(z.object({ key: z.int() }), sql`select account_key as key from account`),
    )
    return all.map(({ key }) => key)
  }
  const visible = new Set<number>()
  for (const { account } of person.memberships) {
    const access = await resolveAccess(database, { person, account, allAccounts: 'yes', requestId })
    if (!isAllowed(access.rules, { action: 'view', subject: users.subject })) continue
    for (const key of access.covered) visible.add(key)
  }
  return [...visible]
}
