import { z } from 'zod'
import { brandKeys } from '../brands.ts'
import { type Collection, defineCollection } from '../collection.ts'
import { reference, sensitive } from '../fields.ts'
import { accountRef, name, timeZone } from '../names.ts'

/** In a suspended account and all below it, roles do not apply and controllers get no new configuration. */
export const accountStatuses = ['active', 'suspended'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** Accounts in a hierarchy: a customer, a branch, an installer's book of customers. */
export const accounts = defineCollection({
  name: 'accounts',
  entity: 'account',
  subject: 'Accounts',
  fields: {
    required: { name: name() },
    optional: {
      defaultTimeZone: timeZone().default('UTC'),
      recertifyEveryDays: z.int().min(1).max(3_650).nullable().default(null),
      enforceMfa: sensitive(z.boolean(), { isSensitive: (isOn) => isOn === false }).default(false),
      /** The brand of emails and documents; null for that of the account above. */
      brand: z.enum(brandKeys).nullable().default(null),
    },
    fixed: { ref: accountRef(), parent: reference('accounts').nullable().default(null) },
    server: { status: z.enum(accountStatuses) },
  },
  searchable: ['name', 'ref'],
  queryable: ['name', 'ref', 'parent', 'status', 'defaultTimeZone'],
})

/**
 * Lists and real-time rooms of accounts include all accounts below; those of other collections only the account itself.
 */
export function coversSubtree({ name }: Pick<Collection, 'name'>) {
  return name === accounts.name
}
