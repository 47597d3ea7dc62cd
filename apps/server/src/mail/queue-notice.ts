import type { Transaction } from '../database/database.ts'
import type { MailKind } from './mail-content.ts'
import { queueMail } from './queue-mail.ts'

export type Notice = Extract<
  MailKind,
  | 'password_changed'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'second_factor_reset'
  | 'recovery_codes_renewed'
  | 'recovery_code_used'
  | 'codes_locked'
>

/** Emails a user about a change of their sign-in, in the transaction that makes the change. */
export function queueNotice(tx: Transaction, person: string, kind: Notice) {
  return queueMail(tx, { person, content: { kind } })
}
