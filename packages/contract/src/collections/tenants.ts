import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { name } from '../names.ts'

export const tenantProviders = ['oidc', 'saml'] as const

/** An identity provider with which the users of an account may sign in. */
export const tenants = defineCollection({
  name: 'tenants',
  entity: 'tenant',
  subject: 'Tenants',
  fields: {
    required: { name: name(), provider: z.enum(tenantProviders) },
    optional: { enabled: z.boolean().default(false) },
  },
  isPolicy: false,
  searchable: ['name'],
  queryable: ['name', 'provider', 'enabled'],
})
