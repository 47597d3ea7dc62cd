import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { MfaSecrets } from './mfa-secrets.ts'
import { stepOfCode } from './one-time-code.ts'

type Asked = { person: string; code: string; secrets: MfaSecrets; now: number }

/**
 * Takes a code of somebody's authenticator, and answers whether it was right. It serves once, on whichever server: the database
 * keeps the newest step that was taken, and refuses it and those before. The code that completed the set-up serves the sign-in
 * that follows it besides, once (specification §4).
 */
export async function takeCode(tx: Transaction, { person, code, secrets, now }: Asked) {
  const enrolled = await tx.first(
    z.object({ key: z.instanceof(Buffer) }),
    sql`select mfa_key as key from mfa where mfa_person = ${person} and mfa_key is not null`,
  )
  const step = enrolled && stepOfCode({ key: secrets.openKey(enrolled.key, person), code, now })
  if (step === undefined) return false
  const taken = await tx.run(sql`update mfa
    set mfa_last_step = greatest(mfa_last_step, ${step}), mfa_spare_step = null, mfa_tries = 0
    where mfa_person = ${person} and mfa_key = ${enrolled?.key} and (mfa_last_step < ${step} or mfa_spare_step = ${step})`)
  return taken === 1
}
