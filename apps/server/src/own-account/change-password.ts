import type { changePassword as contract } from '@portcullis/contract/calls/own-account'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { noticeTo } from '../mail/notice-to.ts'
import { countTry } from '../sessions/count-try.ts'
import { demandStrongPassword } from '../passwords/demand-strong-password.ts'
import { hashPassword, isPassword } from '../passwords/password.ts'
import { type SessionPerson, stepUp } from '../sessions/session-store.ts'
import { setPassword } from '../passwords/set-password.ts'
import { type From, tellOfPerson } from '../sessions/tell-sign-in.ts'

type Asked = z.output<typeof contract.input> & From & { person: SessionPerson; token: string }

/**
 * Changes one's own password: every other session ends, and this one gets a new token, which is answered; undefined where
 * another request of the same session was first, and has it.
 */
export async function changePassword(database: Database, { person, token, oldPassword, newPassword, ...from }: Asked) {
  const { _id: id, session } = person
  await countTry(database, session._id)
  const known = await database.asSystem((tx) => tx.first(hashRow, hashOf(id)))
  if (!known?.hash || !(await isPassword(oldPassword, known.hash))) {
    throw new AppError('wrong_credentials')
  }
  if (oldPassword.normalize('NFC') === newPassword.normalize('NFC')) {
    throw new AppError('same_password', {}, { at: ['newPassword'] })
  }
  await demandStrongPassword({ password: newPassword, field: 'newPassword', owner: person })
  const hash = await hashPassword(newPassword)
  return database.asSystem(async (tx) => {
    const now = await tx.first(hashRow, sql`${hashOf(id)} for no key update`)
    if (now?.hash !== known.hash) throw new AppError('conflict')
    await setPassword(tx, { person: id, hash, keeping: session._id })
    await noticeTo(tx, id, 'password_changed')
    const next = await stepUp(tx, { token, old: 'ends', code: 'as before' })
    await tellOfPerson(tx, { ...from, person: id, as: 'password_changed' })
    return next
  })
}

const hashRow = z.object({ hash: z.string().nullable() })

function hashOf(person: string) {
  return sql`select person_password_hash as hash from person where person_id = ${person}`
}
