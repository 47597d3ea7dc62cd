import { z } from 'zod'
import { credentialKinds } from '@portcullis/domain/policy'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import { defineLog } from '../collection.ts'
import { eventNote } from '../event-notes.ts'
import { allEventTypes, eventCategories, eventSeverities } from '../event-types.ts'
import { exportFormats } from '../export-request.ts'
import { guarded, instant, reference } from '../fields.ts'

const reasonCode = z.enum(reasonCodes)

/** One check of a decision, in the order of the checks; `facts` holds the names and times behind it. */
export const finding = z.object({
  step: z.string(),
  outcome: z.enum(['passed', 'refused', 'not_asked']),
  reason: reasonCode.optional(),
  facts: z.record(z.string(), z.unknown()),
})

const named = z.string().nullable()

/** Names at that time, the presented number, and details by type of event. */
export const eventData = z.object({
  names: z
    .object({ site: named, door: named, unit: named, user: named, title: named, timeZone: named })
    .partial()
    .default({}),
  /** Null for users who may not see it, as in `credentials`. */
  number: z.string().nullable().optional(),
  /** The kind of credential with that number: an iButton if the door's reader or a credential reports one. */
  kind: z.enum(credentialKinds).optional(),
  unitReason: z.string().nullable().optional(),
  outOfStep: z.boolean().optional(),
  clockWrong: z.boolean().optional(),
  deviceTime: z.string().optional(),
  /** Text from the controller, unchanged. */
  detail: z.string().optional(),
  note: eventNote.optional(),
  /** The unreadable record, which may contain a number too. */
  raw: z.unknown().optional(),
  /** The network address and the device of a sign-in or an attempt. */
  address: z.string().optional(),
  device: z.string().optional(),
  /** Why a sign-in failed; absent for a wrong password. */
  refusal: z.enum(['wrong_password', 'wrong_code', 'locked_out']).optional(),
  /** The exported file; `isWhole` is false if the client disconnected before its end. */
  export: z
    .object({ collection: z.string(), format: z.enum([...exportFormats, 'ics']), rows: z.int(), isWhole: z.boolean() })
    .optional(),
})
export type EventData = z.output<typeof eventData>

/** Events at doors, on units and in the console. They keep the names and accounts of that time. */
export const events = defineLog({
  name: 'events',
  entity: 'event',
  subject: 'Access Events',
  fields: {
    server: {
      type: z.enum(allEventTypes),
      category: z.enum(eventCategories),
      severity: z.enum(eventSeverities),
      site: reference('sites').nullable(),
      door: reference('doors').nullable(),
      unit: reference('units').nullable(),
      user: reference('users').nullable(),
      credential: reference('credentials').nullable(),
      direction: z.enum(['entry', 'exit']).nullable(),
      outcome: z.enum(['granted', 'denied']).nullable(),
      reason: reasonCode.nullable(),
      reasons: z.array(finding),
      occurredAt: instant(),
      receivedAt: instant(),
      backfilled: z.boolean(),
      policyVersion: z.int().nullable(),
      data: guarded(eventData, {
        subject: 'iButton',
        where: { field: 'kind', is: 'iButton' },
        parts: ['number', 'raw'],
      }),
    },
  },
  newestBy: 'occurredAt',
  searchable: [],
  queryable: [
    'type',
    'category',
    'severity',
    'site',
    'door',
    'unit',
    'user',
    'credential',
    'direction',
    'outcome',
    'reason',
    'occurredAt',
    'receivedAt',
    'backfilled',
  ],
})

export type Finding = z.output<typeof finding>
