import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import type { Transaction } from '../database/database.ts'
import type { MailContent } from './mail-content.ts'

type QueueMailInput = {
  /** The `_id` of the recipient. */
  person: string
  content: MailContent
  /** The address, if it is not the user's current email. */
  address?: string
}

/**
 * Queues an email, which any server sends once this transaction commits. A user without an email gets none. If a server
 * stops between sending and recording it, the email is sent twice, but never lost.
 */
export async function queueMail(tx: Transaction, { person, content, address }: QueueMailInput) {
  const { kind } = content
  await tx.run(sql`insert into mail (mail_id, mail_person, mail_to_name, mail_to_address, mail_kind, mail_content)
    select ${uuidv7()}::uuid, person_id, person_name, coalesce(${address ?? null}, person_email), ${kind},
           ${JSON.stringify(content)}::jsonb
      from person where person_id = ${person} and coalesce(${address ?? null}, person_email) is not null`)
}
