import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { isAllowed, roles } from '@portcullis/contract/abilities'
import { users } from '@portcullis/contract/collections/users'
import { notFound } from '../collections/get.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { From } from '../sessions/record-sign-in.ts'
import type { MfaDependencies } from './prove-code.ts'
import { mfaStanding } from '../sessions/mfa-standing.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { recordSecondFactorChange } from './record-second-factor-change.ts'

type RequireCodesInput = From & { person: string; isRequired: 'yes' | 'no' }

/** Turns codes at the user's own sign-in on or off; their authenticator app stays enrolled. */
export function setCodesAtSignIn(
  { database, isMfaRequiredOfHyperUsers }: MfaDependencies,
  { person, isRequired, ...from }: RequireCodesInput,
) {
  return database.asSystem(async (tx) => {
    const { enrolled, enforced } = await mfaStanding(tx, { person, isMfaRequiredOfHyperUsers })
    if (!enrolled) throw notEnrolled()
    if (isRequired === 'no' && enforced) throw new AppError('mfa_enforced')
    const isOn = isRequired === 'yes'
    const changed = await tx.run(
      sql`update mfa set mfa_is_asked = ${isOn} where mfa_person = ${person} and mfa_is_asked <> ${isOn}`,
    )
    if (changed === 1)
      await recordSecondFactorChange(tx, { ...from, person, as: isOn ? 'second_factor_on' : 'second_factor_off' })
  })
}

type MakeRecoveryCodesInput = From & { person: string }

/** Replaces the user's recovery codes with ten new ones. */
export function makeRecoveryCodes(
  { database, secrets, isMfaRequiredOfHyperUsers }: MfaDependencies,
  { person, ...from }: MakeRecoveryCodesInput,
) {
  return database.asSystem(async (tx) => {
    // Serialises concurrent renewals: only the codes of the last one remain.
    await tx.run(sql`select from mfa where mfa_person = ${person} for update`)
    const { enrolled } = await mfaStanding(tx, { person, isMfaRequiredOfHyperUsers })
    if (!enrolled) throw notEnrolled()
    await recordSecondFactorChange(tx, { ...from, person, as: 'recovery_codes_renewed' })
    return renewRecoveryCodes(tx, { secrets, person })
  })
}

type ResetSecondFactorInput = From & { access: Access; id: string }

const target = z.object({ hyper: z.boolean(), home: z.int() })

/**
 * Resets a user's authenticator app, so that they set up a new one. The user is a member of the caller's account, and
 * the caller must cover the user's home account, which owns the sign-in. One sign-in serves all accounts, so the caller
 * must be able to assign every role that the user holds in any account.
 */
export async function resetSecondFactor(database: Database, { access, id, ...from }: ResetSecondFactorInput) {
  const account = access.account.key
  const found = z.uuid().safeParse(id).success
    ? await database.inAccounts([account], (tx) =>
        tx.first(
          target,
          sql`select person_hyper as hyper, person_home as home
                from membership join person on person_id = membership_user
               where membership_user = ${id} and membership_account = ${account}`,
        ),
      )
    : undefined
  if (!found) throw notFound(users)
  if (found.hyper && !access.person.hyper) throw new AppError('hyper_only')
  if (!access.covered.includes(found.home)) throw new AppError('mfa_home_account')
  await database.asSystem(async (tx) => {
    const held = await tx.rows(
      z.object({ role: z.enum(roles) }),
      sql`select membership_role as role from membership where membership_user = ${id} and not membership_waits`,
    )
    if (held.some(({ role }) => !isAllowed(access.rules, { action: 'manage', subject: role }))) {
      throw new AppError('role_out_of_reach')
    }
    const reset = await tx.run(sql`delete from mfa where mfa_person = ${id}`)
    await tx.run(sql`delete from recovery_code where recovery_code_person = ${id}`)
    if (reset === 1)
      await recordSecondFactorChange(tx, { ...from, person: id, as: 'second_factor_reset', by: access.person.name })
  })
}

function notEnrolled() {
  return new AppError('mfa_not_enrolled')
}
