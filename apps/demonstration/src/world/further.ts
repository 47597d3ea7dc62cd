import type { CreateOf } from '@portcullis/contract/collection'
import type { cardFormats as cardFormatCollection } from '@portcullis/contract/collections/card-formats'
import type { contacts as contactCollection } from '@portcullis/contract/collections/contacts'
import type { metaDataTemplates } from '@portcullis/contract/collections/meta-data-templates'
import type { tenants as tenantCollection } from '@portcullis/contract/collections/tenants'
import type { ZodType } from 'zod'
import type { AccountRef } from './accounts.ts'

type In<C extends { createSchema: ZodType }> = { account: AccountRef; item: CreateOf<C> }

/** Contacts, with numbers from ranges reserved for fiction. */
export const contacts: readonly In<typeof contactCollection>[] = [
  {
    account: 'harbour-group',
    item: {
      name: 'Guardroom, Cold Store North',
      phone: '+27 21 555 0134',
      email: 'guardroom@harbour-group.example',
      notify: ['alarms', 'controllersOffline'],
      note: 'Always staffed. The night shift answers by radio first.',
    },
  },
  {
    account: 'harbour-group',
    item: {
      name: 'Lerato Khumalo',
      phone: '+27 82 555 0117',
      email: 'lerato.khumalo@harbour-group.example',
      notify: ['alarms', 'incidentReports'],
      note: 'Operations. Not between ten at night and five.',
    },
  },
  {
    account: 'harbour-group',
    item: {
      name: 'Brandwag Installations',
      phone: '+27 21 555 0178',
      email: 'helpdesk@brandwag.example',
      notify: ['controllersOffline'],
      note: 'Service contract 4471: four hours in Cape Town, next day elsewhere.',
    },
  },
  {
    account: 'harbour-group',
    item: {
      name: 'London reception',
      phone: '+44 20 7946 0121',
      email: 'london@harbour-group.example',
      notify: ['remoteAccess'],
    },
  },
  {
    account: 'harbour-logistics',
    item: {
      name: 'Dispatch desk',
      phone: '+27 31 555 0142',
      email: 'dispatch@harbour-logistics.example',
      notify: ['remoteAccess', 'controllersOffline'],
    },
  },
  {
    account: 'harbour-logistics',
    item: {
      name: 'Port fire brigade',
      phone: '+27 31 555 0100',
      notify: ['alarms'],
      note: 'Say the number of the quay.',
    },
  },
  {
    account: 'harbour-couriers',
    item: {
      name: 'Yard foreman',
      phone: '+44 1632 960177',
      email: 'yard@harbour-couriers.example',
      notify: ['alarms'],
    },
  },
  {
    account: 'quayside-labs',
    item: {
      name: 'Safety officer',
      phone: '+44 161 496 0183',
      email: 'safety@quayside-labs.example',
      notify: ['alarms', 'incidentReports'],
    },
  },
]

export const tenants: readonly In<typeof tenantCollection>[] = [
  { account: 'harbour-group', item: { name: 'Harbour staff directory', provider: 'oidc', enabled: true } },
  { account: 'quayside-labs', item: { name: 'Quayside single sign-on', provider: 'saml', enabled: false } },
]

/** Of the cards for the canteens, whose readers ours replace one by one. */
export const cardFormats: readonly In<typeof cardFormatCollection>[] = [
  {
    account: 'harbour-group',
    item: {
      name: 'Canteen cards (32 bits)',
      layout: `PFFFFFFFFFFFFCCCCCCCCCCCCCCCCCCP
EXXXXXXXXXXXXXXX................
................XXXXXXXXXXXXXXXO`,
    },
  },
]

export const templates: readonly In<typeof metaDataTemplates>[] = [
  {
    account: 'harbour-group',
    item: {
      name: 'Staff',
      fields: [
        { key: 'staffNumber', label: 'Staff number', kind: 'text', required: true },
        {
          key: 'department',
          label: 'Department',
          kind: 'choice',
          choices: ['Warehouse', 'Office', 'Operations', 'Security'],
        },
        { key: 'inductedOn', label: 'Inducted on', kind: 'date' },
      ],
    },
  },
  {
    account: 'quayside-labs',
    item: {
      name: 'Laboratory training',
      fields: [
        { key: 'level', label: 'Biosafety level', kind: 'number', required: true },
        { key: 'trainedOn', label: 'Trained on', kind: 'date', required: true },
      ],
    },
  },
]

type LockdownPlan = { name: string; siteGroup?: string; doorGroup?: string; endsAfterMinutes?: number; note: string }

export const lockdownPlans: readonly LockdownPlan[] = [
  { name: 'Cape Town', siteGroup: 'Cape Town', note: 'Intruder or attack. Call the police first.' },
  {
    name: 'Cold rooms',
    doorGroup: 'Cold rooms',
    endsAfterMinutes: 60,
    note: 'Ammonia alarm. Closed until the air has been measured.',
  },
]
