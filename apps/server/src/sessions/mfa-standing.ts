import type { OwnMfa } from '@portcullis/contract/calls/authentication'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'

export const ownMfaRow = z.object({
  enrolled: z.boolean(),
  enabled: z.boolean(),
  enforced: z.boolean(),
  recoveryCodesLeft: z.number(),
})

/** Whether every hyper user needs a second factor: in production, because they may do everything. */
export type MfaPolicy = { isMfaRequiredOfHyperUsers: boolean }

type MfaStandingInput = MfaPolicy & { person: string }

/**
 * The state of a user's second factor. Any account they belong to now, or one of its ancestors, may enforce it; the
 * installation may enforce it for hyper users.
 */
export async function mfaStanding(
  tx: Transaction,
  { person, isMfaRequiredOfHyperUsers }: MfaStandingInput,
): Promise<OwnMfa> {
  const found = await tx.first(
    z.object({ mfa: ownMfaRow }),
    prepared(
      sql`select ${mfaStandingOf(sql`asked`, { isMfaRequiredOfHyperUsers })} as mfa from (select ${person}::uuid as asked) question`,
    ),
  )
  if (!found) throw new Error('The state of a second factor could not be read.')
  return found.mfa
}

/** The same as an expression, for statements that read more. */
export function mfaStandingOf(person: Sql, { isMfaRequiredOfHyperUsers }: MfaPolicy) {
  const id = sql`mfa_user.id`
  return sql`(select json_build_object('enrolled', mfa_key is not null, 'enabled', coalesce(mfa_is_asked, false),
        'recoveryCodesLeft', (select count(*) from recovery_code where recovery_code_person = ${id}),
        'enforced', ${isEnforced(id)} or ${isMfaRequiredOfHyperUsers}::boolean and exists (
          select from person where person_id = ${id} and person_hyper))
      from (select ${person} as id) as mfa_user left join mfa on mfa_person = ${id})`
}

/** Whether any account that the user belongs to now, or one of its ancestors, enforces codes. */
export function isEnforced(person: Sql) {
  return sql`exists (select from membership
    join account_closure on account_closure_descendant = membership_account
    join account on account_key = account_closure_ancestor
   where membership_user = ${person} and membership_status = 'active' and not membership_waits and account_enforce_mfa
     and (membership_valid_from is null or membership_valid_from <= now())
     and (membership_valid_until is null or membership_valid_until > now()))`
}

/** Whether a sign-in also needs a code; a user without an authenticator app sets one up first. */
export function owesCode({ enrolled, enabled, enforced }: OwnMfa) {
  return enforced || (enrolled && enabled)
}
