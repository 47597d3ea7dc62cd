import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { AppError } from '../http/app-error.ts'
import { countTry } from './count-try.ts'
import { isPassword } from './password.ts'
import { type SessionPerson, stepUp } from './session-store.ts'

type Asked = { person: SessionPerson; token: string; password: string }

/**
 * The person of a session shows once more who they are. Answers the session's new token: whoever had come to know the old one
 * can do nothing with what was confirmed.
 */
export async function confirmIdentity(database: Database, { person, token, password }: Asked) {
  await countTry(database, person.session._id)
  const known = await database.asSystem((tx) =>
    tx.first(
      z.object({ hash: z.string().nullable() }),
      sql`select person_password_hash as hash from person where person_id = ${person._id}`,
    ),
  )
  if (!(await isPassword(password, known?.hash ?? null))) {
    throw new AppError('wrong_credentials', 'The password is incorrect.')
  }
  const next = await database.asSystem((tx) => stepUp(tx, { token, old: 'overlaps' }))
  // Of two that are sent at once, one is enough.
  if (next === undefined) throw new AppError('conflict', 'This was confirmed a moment ago.')
  return next
}
