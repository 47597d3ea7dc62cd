import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { instant, reference, text } from '../fields.ts'
import { name } from '../names.ts'
import { configSize, unitCapacity } from '../unit-capacity.ts'
import { fieldCode } from '../errors/field-codes.ts'

export const unitStatuses = ['never_seen', 'online', 'offline'] as const

/** A controller: decides at its doors by itself, from the configuration that it has applied. */
export const units = defineCollection({
  name: 'units',
  entity: 'unit',
  subject: 'Controllers',
  fields: {
    required: { name: name(), serial: text(60).regex(/^[\w.:-]+$/, fieldCode('invalid_serial')) },
    optional: {
      site: reference('sites').nullable().default(null),
      model: text(80).nullable().default(null),
      inService: z.boolean().default(true),
    },
    server: { driver: z.literal('portcullis').default('portcullis'), enrolledAt: instant().nullable().default(null) },
    state: {
      status: z.enum(unitStatuses).default('never_seen'),
      lastHeartbeatAt: instant().nullable().default(null),
      firmware: z.string().nullable().default(null),
      address: z.string().nullable().default(null),
      desiredVersion: z.int().nullable().default(null),
      appliedVersion: z.int().nullable().default(null),
      appliedAt: instant().nullable().default(null),
      rejection: z.string().nullable().default(null),
      clockOffsetMs: z.int().nullable().default(null),
      /** What it can hold at most, as it said when it last came; and what the configuration that it should have takes of that. */
      capacity: unitCapacity.nullable().default(null),
      configSize: configSize.nullable().default(null),
      /** Events that wait on it; how long the latest live one was on its way; how far it has come with those that it kept while away. */
      pendingEvents: z.int().nullable().default(null),
      eventDelayMs: z.int().nullable().default(null),
      backfilledUpTo: instant().nullable().default(null),
    },
  },
  searchable: ['name', 'serial', 'model'],
  queryable: ['name', 'serial', 'model', 'site', 'inService', 'status', 'lastHeartbeatAt', 'firmware'],
})
