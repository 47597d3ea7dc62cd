import type { OwnMfa } from '@portcullis/contract/calls/authentication'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'

const standing = z.object({
  enrolled: z.boolean(),
  enabled: z.boolean(),
  enforced: z.boolean(),
  recoveryCodesLeft: z.number(),
})

/** The state of a user's second factor. Any account they belong to now, or one of its ancestors, may enforce it. */
export async function mfaStanding(tx: Transaction, person: string): Promise<OwnMfa> {
  const found = await tx.first(
    standing,
    sql`select mfa_key is not null as enrolled, coalesce(mfa_is_asked, false) as enabled,
           (select count(*) from recovery_code where recovery_code_person = asked) as "recoveryCodesLeft",
           ${isEnforced(sql`asked`)} as enforced
          from (select ${person}::uuid as asked) as question left join mfa on mfa_person = asked`,
  )
  return standing.parse(found)
}

/** Whether any account that the user belongs to now, or one of its ancestors, enforces codes. */
export function isEnforced(person: Sql) {
  return sql`exists (select from membership
    join account_closure on account_closure_descendant = membership_account
    join account on account_key = account_closure_ancestor
   where membership_user = ${person} and membership_status = 'active' and account_enforce_mfa
     and (membership_valid_from is null or membership_valid_from <= now())
     and (membership_valid_until is null or membership_valid_until > now()))`
}

/** Whether a sign-in also needs a code; a user without an authenticator app sets one up first. */
export function owesCode({ enrolled, enabled, enforced }: OwnMfa) {
  return enforced || (enrolled && enabled)
}
