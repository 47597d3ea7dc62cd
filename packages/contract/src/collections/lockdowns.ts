import { z } from 'zod'
import { defineLog } from '../collection.ts'
import { instant, reference } from '../fields.ts'

/** Lockdowns that were started from plans. Each locks the doors that its plan named at the start, until it ends. */
export const lockdowns = defineLog({
  name: 'lockdowns',
  entity: 'lockdown',
  subject: 'Access Control',
  fields: {
    server: {
      plan: reference('lockdownPlans'),
      /** Names at the time of the start and of the end. */
      name: z.string(),
      /** The groups whose members may pass. */
      mayPass: z.array(z.object({ _id: z.uuid(), name: z.string() })).default([]),
      startedAt: instant(),
      startedBy: reference('users'),
      startedByName: z.string(),
      /** When it ends by itself; null: until a user ends it. */
      endsAt: instant().nullable(),
      endedAt: instant().nullable(),
      /** Null if it ended by itself. */
      endedBy: reference('users').nullable(),
      endedByName: z.string().nullable(),
    },
  },
  newestBy: 'startedAt',
  searchable: ['name'],
  queryable: ['plan', 'name', 'startedAt', 'endsAt', 'endedAt'],
})
