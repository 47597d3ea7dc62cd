import { z } from 'zod'
import { credentialKinds } from '@portcullis/domain/policy'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import { defineLog } from '../collection.ts'
import { eventNote } from '../event-notes.ts'
import { allEventTypes, eventCategories, eventSeverities } from '../event-types.ts'
import { exportFormats } from '../export-request.ts'
import { guarded, instant, reference } from '../fields.ts'

const reasonCode = z.enum(reasonCodes)

/** One check of a decision, in the order in which it was made; `facts` holds the names and moments behind it. */
export const finding = z.object({
  step: z.string(),
  outcome: z.enum(['passed', 'refused', 'not_asked']),
  reason: reasonCode.optional(),
  facts: z.record(z.string(), z.unknown()),
})

const named = z.string().nullable()

/** Names as they were then, the number that was presented, and what else the kind of event tells. */
export const eventData = z.object({
  names: z
    .object({ site: named, door: named, unit: named, user: named, title: named, timeZone: named })
    .partial()
    .default({}),
  /** Null where it is not the reader's to see, as in `credentials`. */
  number: z.string().nullable().optional(),
  /** What bears that number: an iButton where the reader at the door or a credential says so. */
  kind: z.enum(credentialKinds).optional(),
  unitReason: z.string().nullable().optional(),
  outOfStep: z.boolean().optional(),
  clockWrong: z.boolean().optional(),
  deviceTime: z.string().optional(),
  /** What a controller says of itself, in its own words. */
  detail: z.string().optional(),
  note: eventNote.optional(),
  /** What could not be read may hold a number too. */
  raw: z.unknown().optional(),
  /** From where, and with what, somebody signed in or tried to. */
  address: z.string().optional(),
  device: z.string().optional(),
  /** Why a sign-in failed; without it, for a wrong password. */
  refusal: z.enum(['wrong_password', 'wrong_code', 'locked_out']).optional(),
  /** What left the house as a file; `isWhole` is false where the reader hung up before its end. */
  export: z
    .object({ collection: z.string(), format: z.enum(exportFormats), rows: z.int(), isWhole: z.boolean() })
    .optional(),
})
export type EventData = z.output<typeof eventData>

/** What happened at doors, on units and in the console, as it was then: names stay what they were, accounts too. */
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
