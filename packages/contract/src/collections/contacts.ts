import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { text } from '../fields.ts'
import { name } from '../names.ts'
import { fieldCode } from '../errors/field-codes.ts'

/** The notifications for a contact: door alarms, offline controllers, requests for remote access, incident reports. */
export const contactNotices = ['alarms', 'controllersOffline', 'remoteAccess', 'incidentReports'] as const

/** People to notify; they need not be users. */
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
