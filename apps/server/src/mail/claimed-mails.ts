import { language } from '@portcullis/contract/names'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { longestSendMs } from './send-mail.ts'

/** One server sends at most 5 emails in parallel. */
const batchSize = 5
/** Minutes before each retry: about a day in total. */
const retryMinutes = [1, 2, 5, 15, 30, 60, 120, 240, 480, 480] as const
/** After twice the longest send, the claiming server must have stopped, and another one takes over. */
const claimSeconds = (longestSendMs / 1_000) * 2

const claimedMail = z.object({
  id: z.uuid(),
  person: z.uuid(),
  name: z.string(),
  address: z.string(),
  /** The user's choice, otherwise English. */
  language: language(),
  attempt: z.int(),
  /** Parsed when it is sent, so that an unknown kind from a newer version does not block other emails. */
  content: z.unknown(),
})
export type ClaimedMail = z.output<typeof claimedMail>

/** Claims due emails for this server, so that no transaction stays open while the mail server answers. */
export function claimMails(database: Database) {
  return database.asSystem((tx) =>
    tx.rows(
      claimedMail,
      sql`update mail set mail_due_at = now() + make_interval(secs => ${claimSeconds}), mail_attempts = mail_attempts + 1
           where mail_id in (select mail_id from mail where mail_status = 'waiting' and mail_due_at <= now()
                              order by mail_due_at limit ${batchSize} for update skip locked)
       returning mail_id as id, mail_person as person, mail_to_name as name, mail_to_address as address,
                 (select coalesce(person_language, 'en') from person where person_id = mail_person) as language,
                 mail_attempts as attempt, mail_content as content`,
    ),
  )
}

/** Erases the content of a sent email; one that is kept in the outbox stays readable. */
export function recordDelivered(database: Database, { id, as }: { id: string; as: 'sent' | 'kept' }) {
  return database.asSystem((tx) =>
    tx.run(sql`update mail set mail_status = ${as}, mail_ended_at = now(), mail_problem = null,
        mail_content = case when ${as} = 'kept' then mail_content end
      where mail_id = ${id}`),
  )
}

/** Retries after increasing delays, unless the mail server has refused the email for good. */
export function recordDeliveryFailure(
  database: Database,
  { mail, problem, isFinal }: { mail: ClaimedMail; problem: string; isFinal: boolean },
) {
  const delay = isFinal ? undefined : retryMinutes[mail.attempt - 1]
  const shortened = problem.replaceAll('\u0000', '').slice(0, 500)
  const outcome =
    delay === undefined
      ? sql`mail_status = 'failed', mail_ended_at = now(), mail_content = null`
      : sql`mail_due_at = now() + make_interval(mins => ${delay})`
  return database.asSystem((tx) =>
    tx.run(
      sql`update mail set ${outcome}, mail_problem = ${shortened} where mail_id = ${mail.id} and mail_status = 'waiting'`,
    ),
  )
}
