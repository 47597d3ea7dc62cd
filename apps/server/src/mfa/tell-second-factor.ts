import type { Transaction } from '../database/database.ts'
import { noticeTo } from '../mail/notice-to.ts'
import { type From, tellOfPerson } from '../sessions/tell-sign-in.ts'

type Told = From & {
  person: string
  as: 'second_factor_on' | 'second_factor_off' | 'second_factor_reset' | 'recovery_codes_renewed' | 'recovery_code_used'
  /** The name of who did it, where it was not the person. */
  by?: string
}

/** Tells what has changed about somebody's second factor, in the transaction that changes it: as an event, and to them by mail. */
export async function tellSecondFactor(tx: Transaction, told: Told) {
  await noticeTo(tx, told.person, told.as)
  await tellOfPerson(tx, told)
}
