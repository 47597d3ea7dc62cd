import { z } from 'zod'
import { defineLog } from '../collection.ts'
import { instant, reference } from '../fields.ts'

export const taskStatuses = ['Requested', 'Granted', 'Denied', 'Expired'] as const

/** The progress of a granted unlock: waiting, sent to the controller, confirmed by it, or not delivered in time. */
export const deliveries = ['waiting', 'sent', 'opened', 'not_delivered'] as const

/** Requests that await a decision (specification §3); so far only requests for remote access. */
export const tasks = defineLog({
  name: 'tasks',
  entity: 'task',
  subject: 'RemoteAuth',
  fields: {
    server: {
      type: z.enum(['RemoteAuthRequest']),
      status: z.enum(taskStatuses),
      user: reference('users'),
      /** Names at the time of the request. */
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
      /** A note to the decision, by any user who may decide. */
      note: z.string().nullable(),
      /** Null until the request is granted. */
      delivery: z.enum(deliveries).nullable(),
      /** Why it was not delivered: a sentence, or the controller's reason code. */
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
