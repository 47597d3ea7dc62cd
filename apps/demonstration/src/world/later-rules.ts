import type { DemoRule } from './rules.ts'

/** Those that somebody has added in the past weeks. */
export const laterRules = {
  compressorRepair: {
    account: 'harbour-group',
    name: 'Compressor repair',
    effect: 'allow',
    people: ["Siobhán O'Reilly", 'Stefan Kruger'],
    doors: ['Gatehouse', 'Plant room'],
    schedule: null,
    adhocDays: { from: -3, until: 25 },
  },
  sprinklerInspection: {
    account: 'harbour-group',
    name: 'Sprinkler inspection',
    effect: 'allow',
    people: ['Mohammed Rashid Ebrahim', 'Jabu Hlongwane'],
    doors: ['Plant room'],
    schedule: null,
    adhocDays: { from: -6, until: -4 },
  },
  serverReplacement: {
    account: 'harbour-group',
    name: 'Server replacement',
    effect: 'allow',
    people: ['Zoltán Szabó', 'Wayne September'],
    doors: ['Server room'],
    schedule: null,
    adhocDays: { from: 35, until: 42 },
  },
  defrosting: {
    account: 'harbour-group',
    name: 'Freezer 5 is being defrosted',
    effect: 'deny',
    groups: ['Warehouse', 'Forklift drivers'],
    doors: ['Freezer 5'],
    schedule: null,
    adhocDays: { from: -1, until: 2 },
    note: 'The floor is wet. Ask Operations.',
  },
  auditors: {
    account: 'harbour-couriers',
    name: 'Van count',
    effect: 'allow',
    groups: ['Sorters'],
    doors: ['Van store'],
    schedule: null,
    adhocDays: { from: -2, until: 5 },
  },
} as const satisfies Record<string, DemoRule>
