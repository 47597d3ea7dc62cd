import type { RuleDirection } from '@portcullis/domain/policy'
import type { AccountRef } from './accounts.ts'

export type DemoRule = {
  account: AccountRef
  name: string
  effect: 'allow' | 'deny'
  groups?: readonly string[]
  people?: readonly string[]
  doors?: readonly string[]
  doorGroups?: readonly string[]
  sites?: readonly string[]
  siteGroups?: readonly string[]
  schedule: string | null
  direction?: RuleDirection
  /** Days from the start of the demonstration. */
  adhocDays?: { from: number; until: number }
  enabled?: boolean
  note?: string
}

export const rules: readonly DemoRule[] = [
  {
    account: 'harbour-group',
    name: 'Warehouse staff',
    effect: 'allow',
    groups: ['Warehouse'],
    doors: ['Gatehouse', 'Main entrance', 'Freezer 4', 'Bonded store'],
    doorGroups: ['Loading bays'],
    schedule: 'Day shift',
  },
  {
    account: 'harbour-group',
    name: 'Night shift',
    effect: 'allow',
    groups: ['Night shift'],
    doors: ['Gatehouse', 'Main entrance'],
    doorGroups: ['Loading bays', 'Cold rooms'],
    schedule: 'Nights',
  },
  {
    account: 'harbour-group',
    name: 'Night guards',
    effect: 'allow',
    groups: ['Night guards'],
    siteGroups: ['Cape Town'],
    schedule: 'Always',
    note: 'Security passes everywhere in Cape Town, at any hour.',
  },
  {
    account: 'harbour-group',
    name: 'Duty managers',
    effect: 'allow',
    people: ['Lerato Khumalo', 'Francois Marais', 'Katarzyna Wiśniewska'],
    siteGroups: ['All sites'],
    schedule: null,
  },
  {
    account: 'harbour-group',
    name: 'Operations',
    effect: 'allow',
    groups: ['Operations'],
    siteGroups: ['Cape Town'],
    schedule: null,
  },
  {
    account: 'harbour-group',
    name: 'Head office',
    effect: 'allow',
    groups: ['Office'],
    doors: ['Reception', 'Car park', 'Main entrance'],
    schedule: 'Office hours',
  },
  {
    account: 'harbour-group',
    name: 'London office',
    effect: 'allow',
    groups: ['London office'],
    sites: ['London Office'],
    schedule: 'Office hours',
  },
  {
    account: 'harbour-group',
    name: 'Cleaning',
    effect: 'allow',
    groups: ['Cleaners'],
    doors: ['Reception', 'Car park', 'Main entrance', 'Gatehouse'],
    schedule: 'Evenings',
  },
  {
    account: 'harbour-group',
    name: 'Contractors, deliveries',
    effect: 'allow',
    groups: ['Contractors'],
    doors: ['Gatehouse', 'Freezer 4', 'Car park'],
    doorGroups: ['Loading bays'],
    schedule: 'Deliveries',
  },
  {
    account: 'harbour-group',
    name: 'Leave at any time',
    effect: 'allow',
    groups: ['All staff', 'Cleaners', 'Contractors'],
    siteGroups: ['Cape Town'],
    schedule: null,
    direction: 'exit',
    note: 'Nobody is kept in by the end of a shift.',
  },
  {
    account: 'harbour-group',
    name: 'No contractors in the cold rooms',
    effect: 'deny',
    groups: ['Contractors'],
    doorGroups: ['Cold rooms'],
    schedule: null,
    note: 'After the incident of last winter.',
  },
  {
    account: 'harbour-group',
    name: 'Bonded store closed to the night shift',
    effect: 'deny',
    groups: ['Night shift'],
    doors: ['Bonded store'],
    schedule: 'Nights',
  },
  {
    account: 'harbour-group',
    name: 'Compressor repair',
    effect: 'allow',
    people: ["Siobhán O'Reilly", 'Stefan Kruger'],
    doors: ['Gatehouse', 'Plant room'],
    schedule: null,
    adhocDays: { from: -3, until: 25 },
  },
  {
    account: 'harbour-group',
    name: 'Sprinkler inspection',
    effect: 'allow',
    people: ['Mohammed Rashid Ebrahim', 'Jabu Hlongwane'],
    doors: ['Plant room'],
    schedule: null,
    adhocDays: { from: -6, until: -4 },
  },
  {
    account: 'harbour-group',
    name: 'Server replacement',
    effect: 'allow',
    people: ['Zoltán Szabó', 'Wayne September'],
    doors: ['Server room'],
    schedule: null,
    adhocDays: { from: 35, until: 42 },
  },
  {
    account: 'harbour-group',
    name: 'Office visits to the cold store',
    effect: 'allow',
    groups: ['Office'],
    doors: ['Gatehouse'],
    doorGroups: ['Loading bays'],
    schedule: 'Office hours',
    enabled: false,
    note: 'Switched off until the induction courses are over.',
  },
  {
    account: 'harbour-logistics',
    name: 'Dock crew',
    effect: 'allow',
    groups: ['Dock crew'],
    doors: ['Dock gate'],
    schedule: 'Dock hours',
  },
  {
    account: 'harbour-logistics',
    name: 'Dispatch',
    effect: 'allow',
    groups: ['Dispatch'],
    doorGroups: ['Dock doors'],
    schedule: null,
  },
  {
    account: 'harbour-couriers',
    name: 'Couriers on a run',
    effect: 'allow',
    groups: ['Couriers'],
    sites: ['Felixstowe Yard'],
    schedule: 'Two runs',
  },
  {
    account: 'quayside-labs',
    name: 'Laboratory',
    effect: 'allow',
    groups: ['Scientists'],
    sites: ['Salford Laboratory'],
    schedule: 'Lab hours',
  },
  {
    account: 'quayside-labs',
    name: 'Laboratory support',
    effect: 'allow',
    groups: ['Lab support'],
    doors: ['Airlock', 'Sample store'],
    schedule: null,
  },
]
