import { z } from 'zod'
import { instant } from '../fields.ts'

/** An account is acted inside for so long at most; then a reason is asked anew. */
export const assumptionMaxMinutes = 60

/** Why somebody acts inside an account, since when, and when that ends by itself if the session has not ended before. */
export const assumption = z.object({ reason: z.string(), since: instant(), until: instant() })

const reason = z
  .string()
  .trim()
  .min(3, 'Say in a few words why: at least 3 characters.')
  .max(500, 'At most 500 characters.')

/**
 * `POST /api/accounts/{id}/assume`: a hyper user says why they act inside an account below that of X-JS-ACCOUNT. Until it ends,
 * what the session does there and below by `x-js-assume-account` carries the reason in the audit log. Begun twice it is the
 * one that was open already, with the reason it had. 403 `account_refused` for anybody else and for any other account.
 */
export const assumeAccount = {
  input: z.strictObject({ reason }),
  /** `_id` is that of the entry in the audit log which tells of its beginning. */
  output: assumption.extend({ _id: z.uuid(), ref: z.string(), name: z.string() }),
}
export type Assumed = z.output<typeof assumeAccount.output>

/**
 * `POST /api/accounts/{id}/assume/end`: from now on the session's `x-js-assume-account` for it is refused with
 * `assumption_ended`. Harmless where nothing was open: then `seconds` is null.
 */
export const endAssumption = { output: z.object({ seconds: z.int().nullable() }) }

/** What made an account no longer acted inside: the person, the hour, or the end of their session. */
export const assumptionEnds = ['stopped', 'time', 'session'] as const
export type AssumptionEnd = (typeof assumptionEnds)[number]
