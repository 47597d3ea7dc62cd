import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { type From, type Refusal, tellFailedSignIn } from '../sessions/tell-sign-in.ts'
import { countCode } from './count-code.ts'
import type { MfaSecrets } from './mfa-secrets.ts'
import { takeRecoveryCode } from './recovery-codes.ts'
import { takeCode } from './take-code.ts'
import { tellSecondFactor } from './tell-second-factor.ts'

export type Proof = { code: string } | { recoveryCode: string }

export type MfaParts = { database: Database; secrets: MfaSecrets; now: () => number }

type Asked = From & { person: string; proof: Proof }

/**
 * Takes a code of somebody's authenticator, or one of their recovery codes, and does in the same transaction what it is given
 * for: where that fails the code is not used up. What fails is told as a failed sign-in.
 */
export async function proveCode<T>(
  { database, secrets, now }: MfaParts,
  { person, proof, address, device }: Asked,
  then: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const lockedSeconds = 'code' in proof ? await countCode(database, person) : 0
  if (lockedSeconds > 0) {
    await tell('locked_out')
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
    if ('recoveryCode' in proof) await tellSecondFactor(tx, { person, address, device, as: 'recovery_code_used' })
    return { result: await then(tx) }
  })
  if (done) return done.result
  await tell('wrong_code')
  throw wrongCode()

  function isTaken(tx: Transaction) {
    if ('code' in proof) return takeCode(tx, { person, code: proof.code, secrets, now: now() })
    return takeRecoveryCode(tx, { person, typed: proof.recoveryCode, secrets })
  }

  function tell(refusal: Refusal) {
    return tellFailedSignIn(database, { person, address, device, refusal })
  }
}

export function wrongCode() {
  return new AppError('wrong_code')
}
