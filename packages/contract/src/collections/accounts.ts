import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { reference } from '../fields.ts'
import { accountRef, name, timeZone } from '../names.ts'

/** Accounts in a hierarchy: a customer, a branch, an installer's book of customers. */
export const accounts = defineCollection({
  name: 'accounts',
  entity: 'account',
  subject: 'Accounts',
  required: { name: name() },
  optional: {
    defaultTimeZone: timeZone().default('UTC'),
    recertifyEveryDays: z.int().min(1).max(3_650).nullable().default(null),
    enforceMfa: z.boolean().default(false),
  },
  fixed: { ref: accountRef(), parent: reference('accounts').nullable().default(null) },
  server: { status: z.enum(['active', 'suspended']) },
  state: {},
  roomCovers: 'subtree',
  searchable: ['name', 'ref'],
  queryable: ['name', 'ref', 'parent', 'status', 'defaultTimeZone'],
})
