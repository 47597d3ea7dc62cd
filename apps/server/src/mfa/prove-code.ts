import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { type From, type Refusal, recordFailedSignIn } from '../sessions/record-sign-in.ts'
import type { MfaPolicy } from '../sessions/mfa-standing.ts'
import type { MfaSecrets } from './mfa-secrets.ts'
import { takeRecoveryCode } from './recovery-codes.ts'
import { recordSecondFactorChange } from './record-second-factor-change.ts'
import { queueNotice } from '../mail/queue-notice.ts'
import { stepOfCode } from './one-time-code.ts'

export type Proof = { code: string } | { recoveryCode: string }

export type MfaDependencies = MfaPolicy & { database: Database; secrets: MfaSecrets; now: () => number }

type ProveCodeInput = From & { person: string; proof: Proof }

/**
 * Uses up a code of the user's authenticator app, or a recovery code, and runs `then` in the same transaction: if that
 * fails, the code is not used up. A wrong code is recorded as a failed sign-in.
 */
export async function proveCode<T>(
  { database, secrets, now }: MfaDependencies,
  { person, proof, address, device }: ProveCodeInput,
  then: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const lockedSeconds = 'code' in proof ? await countCode(database, person) : 0
  if (lockedSeconds > 0) {
    await recordRefusal('locked_out')
    throw new AppError(
      'too_many',
      {},
      {
        retryAfterSeconds: lockedSeconds,
      },
    )
  }
  const done = await database.asSystem(async (tx) => {
    if (!(await isTaken(tx))) return undefined
    if ('recoveryCode' in proof)
      await recordSecondFactorChange(tx, { person, address, device, as: 'recovery_code_used' })
    return { result: await then(tx) }
  })
  if (done) return done.result
  await recordRefusal('wrong_code')
  throw wrongCode()

  function isTaken(tx: Transaction) {
    if ('code' in proof) return takeCode(tx, { person, code: proof.code, secrets, now: now() })
    return takeRecoveryCode(tx, { person, typed: proof.recoveryCode, secrets })
  }

  function recordRefusal(refusal: Refusal) {
    return recordFailedSignIn(database, { person, address, device, refusal })
  }
}

export function wrongCode() {
  return new AppError('wrong_code')
}

/** After 20 wrong codes for one user, in any sessions, no further code is checked within the hour. */
const limits = { tries: 20, windowSeconds: 3_600 } as const

/**
 * Counts an attempt before its code is checked; a right code resets the count. Callers have given the password, so a
 * user without it cannot lock another one out. Returns for how many seconds no code is accepted; 0 means this one is
 * checked.
 */
async function countCode(database: Database, person: string) {
  const isOver = sql`mfa_tries_since < now() - make_interval(secs => ${limits.windowSeconds})`
  return database.asSystem(async (tx) => {
    const counted = await tx.run(sql`update mfa
      set mfa_tries = case when ${isOver} then 1 else mfa_tries + 1 end,
          mfa_tries_since = case when ${isOver} then now() else mfa_tries_since end
      where mfa_person = ${person} and (${isOver} or mfa_tries < ${limits.tries})`)
    if (counted === 1) return 0
    // The first unchecked code sends an email: another user may know the password.
    const isFirst = await tx.run(sql`update mfa set mfa_tries = mfa_tries + 1
      where mfa_person = ${person} and mfa_tries = ${limits.tries}`)
    if (isFirst === 1) await queueNotice(tx, person, 'codes_locked')
    const locked = await tx.first(
      z.object({ seconds: z.int() }),
      sql`select greatest(1, ceil(extract(epoch from mfa_tries_since - now()) + ${limits.windowSeconds}))::int as seconds
            from mfa where mfa_person = ${person}`,
    )
    return locked?.seconds ?? 0
  })
}

type TakeCodeInput = { person: string; code: string; secrets: MfaSecrets; now: number }

/**
 * Takes a code of the user's authenticator app, and returns whether it is right. A code works once, on any server: the
 * database stores the newest step used, and refuses it and earlier ones. The code that completed the setup also works
 * once for the sign-in that follows it (specification §4).
 */
async function takeCode(tx: Transaction, { person, code, secrets, now }: TakeCodeInput) {
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
