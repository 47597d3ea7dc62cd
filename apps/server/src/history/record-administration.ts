import { type EventData, events } from '@portcullis/contract/collections/events'
import type { AdministrationEventType, eventSeverities } from '@portcullis/contract/event-types'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import type { Change } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'

type RecordAdministrationInput = {
  account: number
  type: AdministrationEventType
  person: string | null
  data: EventData
}

const severities: Record<AdministrationEventType, (typeof eventSeverities)[number]> = {
  'administration.signed_in': 'info',
  'administration.sign_in_failed': 'notice',
  'administration.second_factor_on': 'info',
  'administration.second_factor_off': 'notice',
  'administration.second_factor_reset': 'notice',
  'administration.recovery_codes_renewed': 'info',
  'administration.recovery_code_used': 'notice',
  'administration.password_changed': 'info',
  'administration.password_reset': 'notice',
  'administration.email_changed': 'notice',
  'administration.exported': 'notice',
  'administration.recertified': 'info',
  'administration.refused': 'notice',
  'administration.lockdown_started': 'notice',
  'administration.lockdown_ended': 'notice',
}

/**
 * Stores an action of a user, such as a sign-in, an export or the start of a lockdown, as an event of the account. Runs as the system role,
 * because users cannot write events. Returns the change for the outbox.
 */
export async function recordAdministration(
  tx: Transaction,
  { account, type, person, data }: RecordAdministrationInput,
): Promise<Change> {
  const id = uuidv7()
  await tx.run(
    sql`insert into event (event_id, event_account, event_type, event_category, event_severity, event_user,
          event_occurred_at, event_data)
        values (${id}, ${account}, ${type}, 'administration', ${severities[type]}, ${person}, now(), ${JSON.stringify(data)})`,
  )
  return { account, collection: events.name, item: id, action: 'save', isPolicy: false }
}
