import type { Database } from '../database/database.ts'
import { mfaStanding, owesCode } from '../sessions/mfa-standing.ts'
import { openSession } from '../sessions/session-store.ts'

type Asked = { person: string; address: string; device: string | undefined }

/**
 * Lets somebody in who has given the right password, and answers the token of their session: one that owes a code, where codes
 * are asked of them.
 */
export async function admit(database: Database, asked: Asked) {
  const standing = await database.asSystem((tx) => mfaStanding(tx, asked.person))
  return openSession(database, { ...asked, code: owesCode(standing) ? 'owed' : 'none' })
}
