import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import type { Transaction } from '../database/database.ts'
import type { MailContent } from './mail-content.ts'

type Queued = {
  /** The `_id` of whom it is for. */
  person: string
  content: MailContent
  /** Where it goes, if not to the person's e-mail of now. */
  address?: string
}

/**
 * Has a mail sent once this transaction is committed; a sender of any server takes it from there. Who has no e-mail gets
 * none. Between sending and noting that it is sent a server may die: then it is sent again, and never lost.
 */
export async function queueMail(tx: Transaction, { person, content, address }: Queued) {
  const { kind } = content
  await tx.run(sql`insert into mail (mail_id, mail_person, mail_to_name, mail_to_address, mail_kind, mail_content)
    select ${uuidv7()}::uuid, person_id, person_name, coalesce(${address ?? null}, person_email), ${kind},
           ${JSON.stringify(content)}::jsonb
      from person where person_id = ${person} and coalesce(${address ?? null}, person_email) is not null`)
}
