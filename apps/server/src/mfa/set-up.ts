import sql from 'sql-template-tag'
import { toDataURL } from 'qrcode'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { From } from '../sessions/tell-sign-in.ts'
import type { MfaSecrets } from './mfa-secrets.ts'
import { keyText, keyUri, makeKey, stepOfCode } from './one-time-code.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { tellSecondFactor } from './tell-second-factor.ts'

type Beginning = { person: { _id: string; email: string }; issuer: string; secrets: MfaSecrets }

/** Makes a key for an authenticator, in the place of one that waits for its first code; the one in force stays so. */
export async function beginSetUp(database: Database, { person, issuer, secrets }: Beginning) {
  const key = makeKey()
  const sealed = secrets.sealKey(key, person._id)
  await database.asSystem((tx) =>
    tx.run(sql`insert into mfa (mfa_person, mfa_pending_key) values (${person._id}, ${sealed})
      on conflict (mfa_person) do update set mfa_pending_key = excluded.mfa_pending_key`),
  )
  const uri = keyUri({ key, issuer, email: person.email })
  return { qrImage: await toDataURL(uri, { errorCorrectionLevel: 'M', margin: 2, width: 240 }), key: keyText(key) }
}

type Completing = From & { person: string; code: string; secrets: MfaSecrets; now: number }

/** Enrols the authenticator that shows this code, and answers the recovery codes; undefined where it shows another. */
export function completeSetUp(database: Database, { person, code, secrets, now, ...from }: Completing) {
  return database.asSystem(async (tx) => {
    const pending = await tx.first(
      z.object({ key: z.instanceof(Buffer) }),
      sql`select mfa_pending_key as key from mfa where mfa_person = ${person} and mfa_pending_key is not null`,
    )
    const step = pending && stepOfCode({ key: secrets.openKey(pending.key, person), code, now })
    if (step === undefined) return undefined
    const enrolled = await tx.run(sql`update mfa
      set mfa_key = mfa_pending_key, mfa_pending_key = null, mfa_is_asked = true, mfa_tries = 0,
          mfa_last_step = ${step}, mfa_spare_step = ${step}
      where mfa_person = ${person} and mfa_pending_key = ${pending?.key}`)
    if (enrolled === 0) return undefined
    await tellSecondFactor(tx, { ...from, person, as: 'second_factor_on' })
    return renewRecoveryCodes(tx, { secrets, person })
  })
}
