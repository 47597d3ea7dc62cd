import { roles, rulesOfRole } from '@portcullis/contract/abilities'
import { accounts } from '@portcullis/contract/collections/accounts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { demandField } from '../abilities/access.ts'
import type { ServerHalf, Writing } from '../collections/server-half.ts'
import { isInForce } from '../sessions/session-store.ts'
import { refuseWhileHolding } from './what-it-holds.ts'

/** A new account lies below the current one unless the writer names another that they see. */
export const accountsHalf: ServerHalf = {
  async beforeCreate(writing, item) {
    const { _id: current } = writing.access.account
    const parent = item['parent'] ?? current
    if (parent !== current) await demandManagingAt(writing, parent)
    return { parent }
  },
  async beforeDelete({ tx, access }) {
    // An account belongs to itself, so it is the one in which it is deleted.
    await refuseWhileHolding(tx, access)
  },
}

const held = z.object({ role: z.enum(roles), name: z.string() })

/** A role that is held nearer to the place of the new account may be a lesser one. */
async function demandManagingAt({ tx, access }: Writing, place: unknown) {
  if (access.person.hyper) return
  const nearer = await tx.first(
    held,
    sql`select membership_role as role, account_name as name from account
          join account_closure way on way.account_closure_descendant = account_key
          join membership on membership_account = way.account_closure_ancestor
         where account_id = ${place} and membership_user = ${access.person._id} and ${isInForce}
           and membership_account = any(${access.subtree}::int[])
         order by way.account_closure_depth limit 1`,
  )
  if (!nearer) return
  const inside = { ...access, account: { ...access.account, name: nearer.name }, rules: rulesOfRole(nearer.role) }
  demandField(inside, { field: 'parent', subject: accounts.subject })
}
