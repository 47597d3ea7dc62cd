import { userStatuses } from '@portcullis/domain/policy'
import { z } from 'zod'
import { roles } from '../abilities.ts'
import { defineCollection } from '../collection.ts'
import { instant, linksBack, restorable, sensitive } from '../fields.ts'
import { initialPassword } from '../passwords.ts'
import { name } from '../names.ts'

/** For installers' scripts, by hyper users only (design §2). A user created with a password gets no invitation. */
const atCreation = {
  password: sensitive(initialPassword(), { isSensitive: () => true }).optional(),
  verified: sensitive(z.boolean(), { isSensitive: (isVerified) => isVerified === true }).optional(),
}

const definition = defineCollection({
  name: 'users',
  entity: 'user',
  subject: 'Users',
  fields: {
    required: { name: name() },
    optional: {
      role: sensitive(z.enum(roles), { isSensitive: () => true, exports: true }).default('appUser'),
      status: z.enum(userStatuses).default('active'),
      title: z.string().trim().max(120).nullable().default(null),
      groups: linksBack('userGroups').default([]),
      validFrom: instant().nullable().default(null),
      validUntil: instant().nullable().default(null),
      /** Only users who manage idleTime set it; all users who may view the user can read it (decision 0072). */
      idleTime: z.int().min(5).max(86_400).default(300),
    },
    fixed: { email: z.email().max(254).toLowerCase().nullable().default(null) },
    server: {
      img: z.string().nullable().default(null),
      hyper: z.boolean().default(false),
      verified: z.boolean().default(false),
      lastRecertifiedAt: restorable(instant()).nullable().default(null),
    },
  },
  searchable: ['name', 'email', 'title'],
  queryable: ['name', 'email', 'role', 'status', 'title', 'validFrom', 'validUntil', 'lastRecertifiedAt'],
})

/** A user as seen from the current account: the membership in this account and, if they sign in, the login identity. */
export const users = { ...definition, createSchema: definition.createSchema.extend(atCreation) }
