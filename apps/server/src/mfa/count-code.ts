import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { noticeTo } from '../mail/notice-to.ts'

/** So many wrong codes of one person, in whichever sessions, and no further one is looked at within the hour. */
const limits = { tries: 20, windowSeconds: 3_600 } as const

/**
 * Counts a code that is tried, before it is looked at; a right one forgets what was counted. Only who knows the password gets
 * here, so nobody else can lock a person out. Answers for how many seconds no code is taken; 0: this one is.
 */
export async function countCode(database: Database, person: string) {
  const isOver = sql`mfa_tries_since < now() - make_interval(secs => ${limits.windowSeconds})`
  return database.asSystem(async (tx) => {
    const counted = await tx.run(sql`update mfa
      set mfa_tries = case when ${isOver} then 1 else mfa_tries + 1 end,
          mfa_tries_since = case when ${isOver} then now() else mfa_tries_since end
      where mfa_person = ${person} and (${isOver} or mfa_tries < ${limits.tries})`)
    if (counted === 1) return 0
    // The first one that is not looked at is worth a mail: somebody else knows the password.
    const isFirst = await tx.run(sql`update mfa set mfa_tries = mfa_tries + 1
      where mfa_person = ${person} and mfa_tries = ${limits.tries}`)
    if (isFirst === 1) await noticeTo(tx, person, 'codes_locked')
    const locked = await tx.first(
      z.object({ seconds: z.int() }),
      sql`select greatest(1, ceil(extract(epoch from mfa_tries_since - now()) + ${limits.windowSeconds}))::int as seconds
            from mfa where mfa_person = ${person}`,
    )
    return locked?.seconds ?? 0
  })
}
