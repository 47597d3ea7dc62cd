import { credentials } from '@portcullis/contract/collections/credentials'
import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { readItem } from '../collections/get.ts'
import { patchItem } from '../collections/patch.ts'
import { recordChangeOfItem } from '../collections/record-change-of-item.ts'
import type { Transaction } from '../database/database.ts'
import { leaveField } from '../moves/leave-links.ts'
import { ownerOf } from '../moves/plan-move.ts'

type LeaveAccountInput = {
  user: string
  /** Rights in the account that they leave. */
  access: Access
  /** A user of the account who gets the credentials and takes the place in groups and rules. */
  successor?: string
}

/**
 * Ends a membership and what depends on it, and returns the history entry. Takes a system transaction that has locked the
 * tree of the account.
 */
export async function leaveAccount(tx: Transaction, { user, access, successor }: LeaveAccountInput) {
  const { key: account } = access.account
  const before = await readItem(tx, { collection: users, accounts: [account], id: user })
  for (const { id } of await tx.rows(idRow, credentialsOf({ user, account }))) {
    const changes = { user: successor ?? null }
    await patchItem(tx, { collection: credentials, hooks: {}, access, id, changes, expected: undefined })
  }
  const links = await tx.rows(linkRow, linksThrough({ user, account }))
  const fields = Map.groupBy(links, (link) => `${ownerOf(link).name} ${link.field} ${link.isKept}`)
  for (const [first, ...others] of fields.values()) {
    if (!first || (first.isKept && !successor)) continue
    const owners = [first, ...others].map(({ owner }) => owner)
    await leaveField(tx, {
      collection: ownerOf(first),
      field: first.field,
      owners,
      targets: [user],
      access,
      successor,
      keepsTargets: first.isKept,
    })
  }
  await tx.run(sql`delete from "user" where user_id = ${user} and user_account = ${account}`)
  return recordChangeOfItem(tx, {
    access,
    collection: users,
    account,
    item: user,
    action: 'delete',
    before,
    after: null,
    undoes: undefined,
    furtherChanges: [],
  })
}

const idRow = z.object({ id: z.uuid() })
const linkRow = z.object({ owner: z.uuid(), field: z.string(), kind: z.string(), isKept: z.boolean() })

type Membership = { user: string; account: number }

function credentialsOf({ user, account }: Membership) {
  return sql`select credential_id as id from credential
    where credential_user = ${user} and credential_account = ${account} order by credential_id`
}

/**
 * The groups, rules and plans of the account and of the accounts above that name the user. They keep the user if another
 * account below theirs has the user too.
 */
function linksThrough({ user, account }: Membership) {
  return sql`select link_owner as owner, link_field as field, link_kind as kind, exists (
         select from membership join account_closure below on below.account_closure_descendant = membership_account
          where below.account_closure_ancestor = link_account and membership_user = ${user}
            and membership_account <> ${account}) as "isKept"
      from link join account_closure upward on upward.account_closure_ancestor = link_account
     where upward.account_closure_descendant = ${account} and link_target = ${user}`
}
