import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { longestSendMs } from './send-mail.ts'

/** So many are sent at the same time by one server. */
const batch = 5
/** Pauses before the next try, in minutes: about a day in all. */
const pauses = [1, 2, 5, 15, 30, 60, 120, 240, 480, 480] as const
/** Another server takes a mail over when the one that has it must be dead. */
const claimSeconds = (longestSendMs / 1_000) * 2

const claimed = z.object({
  id: z.uuid(),
  person: z.uuid(),
  name: z.string(),
  address: z.string(),
  attempt: z.int(),
  /** Parsed by who sends it: what a newer version has queued must not hold up the rest. */
  content: z.unknown(),
})
export type ClaimedMail = z.output<typeof claimed>

/** Takes what is due, for this server alone: no transaction stays open while a mail server answers. */
export function claimMails(database: Database) {
  return database.asSystem((tx) =>
    tx.rows(
      claimed,
      sql`update mail set mail_due_at = now() + make_interval(secs => ${claimSeconds}), mail_attempts = mail_attempts + 1
           where mail_id in (select mail_id from mail where mail_status = 'waiting' and mail_due_at <= now()
                              order by mail_due_at limit ${batch} for update skip locked)
       returning mail_id as id, mail_person as person, mail_to_name as name, mail_to_address as address,
                 mail_attempts as attempt, mail_content as content`,
    ),
  )
}

/** What was sent is nobody's business any more; what is kept here is read here. */
export function noteDelivered(database: Database, { id, as }: { id: string; as: 'sent' | 'kept' }) {
  return database.asSystem((tx) =>
    tx.run(sql`update mail set mail_status = ${as}, mail_ended_at = now(), mail_problem = null,
        mail_content = case when ${as} = 'kept' then mail_content end
      where mail_id = ${id}`),
  )
}

/** Tries again after a longer pause each time; not where the mail server has said that it never will. */
export function noteFailed(
  database: Database,
  { mail, problem, isFinal }: { mail: ClaimedMail; problem: string; isFinal: boolean },
) {
  const pause = isFinal ? undefined : pauses[mail.attempt - 1]
  const words = problem.replaceAll('\u0000', '').slice(0, 500)
  const outcome =
    pause === undefined
      ? sql`mail_status = 'failed', mail_ended_at = now(), mail_content = null`
      : sql`mail_due_at = now() + make_interval(mins => ${pause})`
  return database.asSystem((tx) =>
    tx.run(
      sql`update mail set ${outcome}, mail_problem = ${words} where mail_id = ${mail.id} and mail_status = 'waiting'`,
    ),
  )
}
