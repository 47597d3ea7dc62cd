import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { text } from '../fields.ts'
import { name } from '../names.ts'
import { fieldCode } from '../errors/field-codes.ts'

/** What a contact may be told of: alarms of doors, controllers that fall silent, requests for remote access, reports. */
export const contactNotices = ['alarms', 'controllersOffline', 'remoteAccess', 'incidentReports'] as const

/** Whom to reach when something happens; need not be a user. */
export const contacts = defineCollection({
  name: 'contacts',
  entity: 'contact',
  subject: 'Contacts',
  fields: {
    required: { name: name() },
    optional: {
      email: z.email().max(254).toLowerCase().nullable().default(null),
      phone: z
        .string()
        .trim()
        .regex(/^\+?[0-9][0-9 ()./-]{2,39}$/, fieldCode('invalid_phone'))
        .nullable()
        .default(null),
      note: text(1_000).nullable().default(null),
      notify: z
        .array(z.enum(contactNotices))
        .max(contactNotices.length)
        .refine((notices) => new Set(notices).size === notices.length, fieldCode('listed_twice'))
        .default([]),
    },
  },
  isPolicy: false,
  searchable: ['name', 'email', 'phone', 'note'],
  queryable: ['name', 'email', 'phone'],
})
