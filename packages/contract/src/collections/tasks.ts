import { z } from 'zod'
import { defineLog } from '../collection.ts'
import { instant, reference } from '../fields.ts'

export const taskStatuses = ['Requested', 'Granted', 'Denied', 'Expired'] as const

/** What waits for somebody's decision (specification §3): so far, people who ask to be let in from afar. */
export const tasks = defineLog({
  name: 'tasks',
  entity: 'task',
  subject: 'RemoteAuth',
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
  },
  newestBy: 'createdAt',
  searchable: ['userName', 'doorName', 'siteName'],
  queryable: ['type', 'status', 'user', 'userName', 'door', 'doorName', 'siteName', 'createdAt'],
})
