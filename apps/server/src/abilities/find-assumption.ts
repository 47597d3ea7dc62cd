import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { AppError } from '../errors/app-error.ts'

/** The reason that a user gave for acting in an account. */
export const assumption = z.object({
  _id: z.uuid(),
  reason: z.string(),
  since: z.iso.datetime(),
  until: z.iso.datetime(),
})
export type Assumption = z.output<typeof assumption>

export const assumptionColumns = sql`assumption_id as _id, assumption_reason as reason, assumption_since as since,
  assumption_until as until`

/** `upward`: keys from the account that is acted inside upward: an assumption for an account also holds below it. */
type FindAssumptionInput = { session: string; from: number; upward: readonly number[] }

const row = assumption.extend({ isOpen: z.boolean() })

/**
 * The assumption of a session for acting inside an account from another; null if it never opened one, as programs with
 * a fresh sign-in may do. Refuses where all of them have ended: a tab with an outdated banner must not continue without
 * a reason.
 */
export async function findAssumption(
  database: Database,
  { session, from, upward }: FindAssumptionInput,
): Promise<Assumption | null> {
  const found = await database.first(
    row,
    prepared(sql`select ${assumptionColumns}, assumption_ended_at is null and assumption_until > now() as "isOpen"
          from assumption
         where assumption_session = ${session} and assumption_from = ${from}
           and assumption_account = any(${[...upward]}::int[])
         order by 5 desc, array_position(${[...upward]}::int[], assumption_account) limit 1`),
  )
  if (!found) return null
  const { isOpen, ...begun } = found
  if (isOpen) return begun
  throw new AppError('assumption_ended')
}
