import { z } from 'zod'
import { defineLog } from '../collection.ts'
import { instant, reference } from '../fields.ts'

export const taskStatuses = ['Requested', 'Granted', 'Denied', 'Expired'] as const

/** What became of the unlock that was granted: on its way, sent to the controller, confirmed by it, or none of these in time. */
export const deliveries = ['waiting', 'sent', 'opened', 'not_delivered'] as const

/** What waits for somebody's decision (specification §3): so far, people who ask to be let in from afar. */
export const tasks = defineLog({
  name: 'tasks',
  entity: 'task',
  subject: 'RemoteAuth',
  fields: {
    server: {
      type: z.enum(['RemoteAuthRequest']),
      status: z.enum(taskStatuses),
      user: reference('users'),
      /** Names as they were when it was asked. */
      userName: z.string(),
      door: reference('doors'),
      doorName: z.string(),
      siteName: z.string(),
      createdAt: instant(),
      data: z.object({ expiresAfterSeconds: z.int(), authAction: z.literal('unlockOnce') }),
      expiresAt: instant(),
      decidedBy: reference('users').nullable(),
      decidedByName: z.string().nullable(),
      decidedAt: instant().nullable(),
      /** Null until it is granted. */
      delivery: z.enum(deliveries).nullable(),
      /** Why it was not delivered: a sentence, or the reason of the controller as its code. */
      deliveryDetail: z.string().nullable(),
      sentAt: instant().nullable(),
      openedAt: instant().nullable(),
    },
  },
  newestBy: 'createdAt',
  searchable: ['userName', 'doorName', 'siteName'],
  queryable: [
    'type',
    'status',
    'user',
    'userName',
    'door',
    'doorName',
    'siteName',
    'createdAt',
    'decidedByName',
    'decidedAt',
    'delivery',
  ],
})
