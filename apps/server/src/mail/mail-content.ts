import { z } from 'zod'

const token = z.string()

const guest = {
  account: z.string(),
  doors: z.array(z.string()),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  timeZone: z.string(),
}

/** The kinds of email, each with its variable content. `token` is the secret of its link. */
export const mailContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reset'), token }),
  z.object({ kind: z.literal('invitation'), token, account: z.string() }),
  z.object({ kind: z.literal('membership'), token, account: z.string(), invitedBy: z.string() }),
  z.object({ kind: z.literal('verification'), token }),
  z.object({ kind: z.literal('email_change_old'), token, newEmail: z.string() }),
  z.object({ kind: z.literal('email_change_new'), token, newEmail: z.string() }),
  z.object({ kind: z.literal('password_changed') }),
  z.object({ kind: z.literal('email_changed'), newEmail: z.string() }),
  z.object({ kind: z.literal('second_factor_on') }),
  z.object({ kind: z.literal('second_factor_off') }),
  z.object({ kind: z.literal('second_factor_reset') }),
  z.object({ kind: z.literal('recovery_codes_renewed') }),
  z.object({ kind: z.literal('recovery_code_used') }),
  z.object({ kind: z.literal('codes_locked') }),
  z.object({ kind: z.literal('guest_link'), token, ...guest }),
  z.object({ kind: z.literal('guest_code'), code: z.string(), ...guest }),
])
export type MailContent = z.output<typeof mailContent>
export type MailKind = MailContent['kind']
