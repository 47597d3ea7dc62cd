import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { isAllowed, roles } from '@portcullis/contract/abilities'
import { users } from '@portcullis/contract/collections/users'
import { notFound } from '../collections/get.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { From } from '../sessions/tell-sign-in.ts'
import type { MfaSecrets } from './mfa-secrets.ts'
import { mfaStanding } from '../sessions/mfa-standing.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { tellSecondFactor } from './tell-second-factor.ts'

type Asking = From & { person: string; isAsked: 'yes' | 'no' }

/** Asks for codes at somebody's own sign-in, or no longer; their authenticator stays enrolled. */
export function askForCodes(database: Database, { person, isAsked, ...from }: Asking) {
  return database.asSystem(async (tx) => {
    const { enrolled, enforced } = await mfaStanding(tx, person)
    if (!enrolled) throw notEnrolled()
    if (isAsked === 'no' && enforced) throw new AppError('mfa_enforced')
    const wanted = isAsked === 'yes'
    const changed = await tx.run(
      sql`update mfa set mfa_is_asked = ${wanted} where mfa_person = ${person} and mfa_is_asked <> ${wanted}`,
    )
    if (changed === 1)
      await tellSecondFactor(tx, { ...from, person, as: wanted ? 'second_factor_on' : 'second_factor_off' })
  })
}

type Renewing = From & { person: string; secrets: MfaSecrets }

/** Ten new recovery codes instead of those of before. */
export function makeRecoveryCodes(database: Database, { person, secrets, ...from }: Renewing) {
  return database.asSystem(async (tx) => {
    // Two that ask at once take turns: the codes of one of them are all that is left.
    await tx.run(sql`select from mfa where mfa_person = ${person} for update`)
    const { enrolled } = await mfaStanding(tx, person)
    if (!enrolled) throw notEnrolled()
    await tellSecondFactor(tx, { ...from, person, as: 'recovery_codes_renewed' })
    return renewRecoveryCodes(tx, { secrets, person })
  })
}

type Resetting = From & { access: Access; id: string }

const target = z.object({ hyper: z.boolean(), home: z.int() })

/**
 * Forgets another's authenticator, so that they set up a new one: for who may manage MFA, in an account that knows the person.
 * A sign-in belongs to the person's home account, and nobody weakens that of a role which they could not give, in whichever
 * account it is held: the sign-in is the same for all.
 */
export async function resetSecondFactor(database: Database, { access, id, ...from }: Resetting) {
  demand(access, { action: 'manage', subject: 'MFA' })
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
      sql`select membership_role as role from membership where membership_user = ${id}`,
    )
    if (held.some(({ role }) => !isAllowed(access.rules, { action: 'manage', subject: role }))) {
      throw new AppError('role_out_of_reach')
    }
    const reset = await tx.run(sql`delete from mfa where mfa_person = ${id}`)
    await tx.run(sql`delete from recovery_code where recovery_code_person = ${id}`)
    if (reset === 1)
      await tellSecondFactor(tx, { ...from, person: id, as: 'second_factor_reset', by: access.person.name })
  })
}

function notEnrolled() {
  return new AppError('mfa_not_enrolled')
}
