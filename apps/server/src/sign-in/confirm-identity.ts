import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '../errors/app-error.ts'
import { mfaStanding, owesCode } from '../sessions/mfa-standing.ts'
import { type MfaParts, proveCode, wrongCode } from '../mfa/prove-code.ts'
import { countTry } from '../sessions/count-try.ts'
import { isPassword } from '../passwords/password.ts'
import { type SessionPerson, stepUp } from '../sessions/session-store.ts'
import { tellFailedSignIn } from '../sessions/tell-sign-in.ts'

type Asked = {
  person: SessionPerson
  token: string
  password: string
  code: string | undefined
  address: string
  device: string | undefined
}

/**
 * The person of a session shows once more who they are: by the password, and a code where codes are asked of them. Answers the
 * session's new token: whoever had come to know the old one can do nothing with what was confirmed.
 */
export async function confirmIdentity(parts: MfaParts, { person, token, password, code, address, device }: Asked) {
  const { database } = parts
  const who = { person: person._id, address, device }
  await countTry(database, person.session._id)
  const [known, standing] = await database.asSystem((tx) =>
    Promise.all([
      tx.first(
        z.object({ hash: z.string().nullable() }),
        sql`select person_password_hash as hash from person where person_id = ${person._id}`,
      ),
      mfaStanding(tx, person._id),
    ]),
  )
  if (!(await isPassword(password, known?.hash ?? null))) {
    await tellFailedSignIn(database, who)
    throw new AppError('wrong_credentials')
  }
  const next = await confirmed()
  // Of two that are sent at once, one is enough.
  if (next === undefined) throw new AppError('conflict')
  return next

  function confirmed() {
    // Who has not set up an authenticator yet can't have given its code: the password alone ends no such debt.
    const step = { token, old: 'overlaps', code: 'as before' } as const
    if (!standing.enrolled || !owesCode(standing)) return database.asSystem((tx) => stepUp(tx, step))
    if (code === undefined) throw wrongCode()
    const proof = /^\d{6}$/.test(code) ? { code } : { recoveryCode: code }
    return proveCode(parts, { ...who, proof }, async (tx) => {
      const token = await stepUp(tx, step)
      // The code is not used up.
      if (token === undefined) throw new AppError('conflict')
      return token
    })
  }
}
