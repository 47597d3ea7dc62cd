import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '../errors/app-error.ts'
import { mfaStanding, owesCode } from '../sessions/mfa-standing.ts'
import { type MfaDependencies, proveCode, wrongCode } from '../mfa/prove-code.ts'
import { countAttempt } from '../sessions/count-attempt.ts'
import { isPassword } from '../passwords/password.ts'
import { type SessionPerson, stepUp } from '../sessions/session-store.ts'
import { recordFailedSignIn } from '../sessions/record-sign-in.ts'

type ConfirmIdentityInput = {
  person: SessionPerson
  token: string
  password: string
  code: string | undefined
  address: string
  device: string | undefined
}

/**
 * Confirms the identity of a session's user by their password, and a code where they need one. Returns the session's
 * new token, so that a stolen old one does not gain the confirmation.
 */
export async function confirmIdentity(
  dependencies: MfaDependencies,
  { person, token, password, code, address, device }: ConfirmIdentityInput,
) {
  const { database, isMfaRequiredOfHyperUsers } = dependencies
  const attempt = { person: person._id, address, device }
  await countAttempt(database, person.session._id)
  const [account, standing] = await database.asSystem((tx) =>
    Promise.all([
      tx.first(
        z.object({ hash: z.string().nullable() }),
        sql`select person_password_hash as hash from person where person_id = ${person._id}`,
      ),
      mfaStanding(tx, { person: person._id, isMfaRequiredOfHyperUsers }),
    ]),
  )
  if (!(await isPassword(password, account?.hash ?? null))) {
    await recordFailedSignIn(database, attempt)
    throw new AppError('wrong_credentials')
  }
  const next = await confirmed()
  // A concurrent confirmation of the same session has won.
  if (next === undefined) throw new AppError('conflict')
  return next

  function confirmed() {
    // A user without an authenticator app cannot give a code, and the password alone does not clear an owed code.
    const step = { token, old: 'overlaps', code: 'as before' } as const
    if (!standing.enrolled || !owesCode(standing)) return database.asSystem((tx) => stepUp(tx, step))
    if (code === undefined) throw wrongCode()
    const proof = /^\d{6}$/.test(code) ? { code } : { recoveryCode: code }
    return proveCode(dependencies, { ...attempt, proof }, async (tx) => {
      const token = await stepUp(tx, step)
      // The code is not used up.
      if (token === undefined) throw new AppError('conflict')
      return token
    })
  }
}
