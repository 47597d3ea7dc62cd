import type { Transaction } from '../database/database.ts'
import { queueNotice } from '../mail/queue-notice.ts'
import { type From, recordUserEvent } from '../sessions/record-sign-in.ts'

type SecondFactorChange = From & {
  person: string
  as: 'second_factor_on' | 'second_factor_off' | 'second_factor_reset' | 'recovery_codes_renewed' | 'recovery_code_used'
  /** The name of the user who made the change, if it was another user. */
  by?: string
}

/**
 * Records a change of a user's second factor as an event and emails the user, in the transaction that makes the change.
 */
export async function recordSecondFactorChange(tx: Transaction, change: SecondFactorChange) {
  await queueNotice(tx, change.person, change.as)
  await recordUserEvent(tx, change)
}
