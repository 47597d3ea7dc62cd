import type { events, Finding } from '@portcullis/contract/collections/events'
import type { eventSeverities, EventType } from '@portcullis/contract/event-types'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'

type Entity = z.output<typeof events.entitySchema>

/** An event as stored: with the account's key, and its position in a unit's log. */
export type EventRow = Omit<Entity, 'account' | 'reasons'> & {
  account: number
  reasons: readonly (Finding | object)[]
  log: string | null
  seq: number | null
}

type RequiredValues = Pick<EventRow, 'account' | 'type' | 'occurredAt'>

/** A row with defaults for all values that are not given. */
export function eventRow(values: RequiredValues & Partial<EventRow>): EventRow {
  const category = categoryOf(values.type)
  return {
    _id: values._id ?? uuidv7(),
    category,
    severity: severityOf(values.type, values.reason ?? null),
    site: null,
    door: null,
    unit: null,
    user: null,
    credential: null,
    direction: null,
    outcome: null,
    reason: null,
    reasons: [],
    receivedAt: values.occurredAt,
    backfilled: false,
    policyVersion: null,
    log: null,
    seq: null,
    data: { names: {} },
    ...values,
  }
}

function categoryOf(type: EventType): Entity['category'] {
  if (type.startsWith('access.')) return 'access'
  if (type.startsWith('door.')) return 'door'
  return type.startsWith('unit.') ? 'unit' : 'administration'
}

type Severity = (typeof eventSeverities)[number]

/** Reasons for which another user may be holding the credential. */
const alarming: readonly ReasonCode[] = ['credential_lost', 'credential_stolen']

export function severityOf(type: EventType, reason: ReasonCode | null): Severity {
  if (type === 'access.denied') return reason && alarming.includes(reason) ? 'warning' : 'notice'
  return severities[type] ?? 'info'
}

const severities: Partial<Record<EventType, Severity>> = {
  'access.guest_refused': 'notice',
  'door.forced': 'alarm',
  'door.held': 'warning',
  'unit.offline': 'warning',
  'unit.clock_wrong': 'warning',
  'unit.out_of_sync': 'warning',
  'unit.capacity_exceeded': 'warning',
  'unit.tamper': 'alarm',
  'unit.on_battery': 'warning',
  'unit.sync_failed': 'warning',
  'unit.log_gap': 'warning',
  'unit.unreadable_record': 'warning',
  'unit.refused': 'warning',
}
