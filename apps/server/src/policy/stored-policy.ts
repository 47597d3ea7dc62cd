import type { Collection } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { interlockingGroups } from '@portcullis/contract/collections/interlocking-groups'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { instant } from '@portcullis/contract/fields'
import type { GroupList } from '@portcullis/domain/decision/policy-index'
import {
  antiPassbackKinds,
  credentialKinds,
  credentialStatuses,
  doorModes,
  holidayKinds,
  type Policy,
  ruleDirections,
  ruleEffects,
  userStatuses,
  whereKinds,
  whoKinds,
} from '@portcullis/domain/policy'
import type { PolicyItems, PolicyList } from '@portcullis/domain/decision/update-index'
import { z } from 'zod'
import { memberField } from '../query/link-entries.ts'

// Only the fields that decisions depend on, and without the limits for input, which may have become stricter since an
// item was stored.

const item = { _id: z.string(), account: z.string(), name: z.string() }
const validity = { validFrom: instant().nullable(), validUntil: instant().nullable() }
const namedGroup = z.object(item)
const namedDoorGroup = namedGroup.extend({
  antiPassback: z.object({ kind: z.enum(antiPassbackKinds), minutes: z.int() }).nullable(),
  forgivenAllAt: instant().nullable(),
  forgivenAt: z.record(z.string(), z.string()),
})
const members = z.array(z.string())
const where = z.array(z.object({ kind: z.enum(whereKinds), id: z.string() }))
const ids = z.array(z.object({ id: z.string() }).transform(({ id }) => id))
const hours = z.object({ start: z.string(), end: z.string() })
const window = hours.extend({ days: z.array(z.number()) })
const holidayHours = z.union([z.literal('closed'), z.literal('asUsual'), z.array(hours)])
const dates = z.object({ from: z.iso.date(), until: z.iso.date(), recurring: z.boolean() })

/** The collections of a policy, each with the schema that its stored items must match. */
export const storedPolicy = {
  accounts: {
    collection: accounts,
    schema: z.object({
      _id: z.string(),
      parent: z.string().nullable(),
      name: z.string(),
      recertifyEveryDays: z.number().nullable(),
    }),
  },
  sites: {
    collection: sites,
    schema: z.object({ ...item, timeZone: z.string(), calendars: z.array(z.string()) }),
  },
  doors: {
    collection: doors,
    schema: z.object({
      ...item,
      site: z.string(),
      unit: z.string().nullable(),
      unitDoor: z.int().nullable(),
      enabled: z.boolean(),
      mode: z.enum(doorModes),
      modeUntil: instant().nullable(),
      lockdowns: z
        .array(z.object({ _id: z.string(), name: z.string(), mayPass: z.array(z.string()).exactOptional() }))
        .default([]),
      relockAfterSeconds: z.int(),
      heldOpenAfterSeconds: z.int(),
      requiresPin: z.boolean(),
      acceptsPinAlone: z.boolean(),
      requiresTwoPersons: z.boolean(),
      firstPersonGroup: z.string().nullable(),
      requiresRemoteAuth: z.boolean(),
      unlockSchedule: z.string().nullable().default(null),
      directions: z.object({ entry: z.boolean(), exit: z.boolean() }),
    }),
  },
  units: {
    collection: units,
    schema: z.object({ ...item, site: z.string().nullable(), inService: z.boolean() }),
  },
  users: {
    collection: users,
    schema: z.object({
      ...item,
      status: z.enum(userStatuses),
      ...validity,
      lastRecertifiedAt: instant().nullable(),
    }),
  },
  credentials: {
    collection: credentials,
    schema: z.object({
      _id: z.string(),
      account: z.string(),
      user: z.string().nullable(),
      kind: z.enum(credentialKinds),
      number: z.string(),
      status: z.enum(credentialStatuses),
      ...validity,
      duress: z.boolean(),
    }),
  },
  userGroups: { collection: userGroups, schema: namedGroup.extend({ members }) },
  doorGroups: { collection: doorGroups, schema: namedDoorGroup.extend({ members }) },
  siteGroups: { collection: siteGroups, schema: namedGroup.extend({ members }) },
  interlockingGroups: {
    collection: interlockingGroups,
    schema: namedGroup.extend({ doors: members }),
  },
  rules: {
    collection: rules,
    schema: z.object({
      ...item,
      effect: z.enum(ruleEffects),
      who: z.array(z.object({ kind: z.enum(whoKinds), id: z.string() })),
      where,
      schedule: z.string().nullable(),
      direction: z.enum(ruleDirections),
      adhoc: z.object({ from: instant(), until: instant() }).nullable(),
      enabled: z.boolean(),
    }),
  },
  schedules: {
    collection: schedules,
    schema: z.object({
      ...item,
      windows: z.array(window),
      holidayHours: z.object({ public: holidayHours, company: holidayHours, special: holidayHours }),
    }),
  },
  holidays: {
    collection: holidays,
    schema: z.object({
      ...item,
      kind: z.enum(holidayKinds),
      dates: z.array(dates),
      calendar: z.string().nullable(),
    }),
  },
  lockdownPlans: {
    collection: lockdownPlans,
    schema: z.object({ ...item, places: where, mayPass: ids, cardGroups: ids, cardDoors: ids }),
  },
} satisfies {
  [List in Exclude<keyof Policy, 'version' | 'interlockingGroups'>]: {
    collection: Collection
    schema: z.ZodType<Policy[List][number]>
  }
} & { interlockingGroups: { collection: Collection; schema: z.ZodType<{ doors: string[] }> } }

/** How the lists of an index are read: members of groups separately, because there may be many. */
export const storedLists: StoredLists = {
  ...storedPolicy,
  userGroups: { collection: userGroups, schema: namedGroup },
  doorGroups: { collection: doorGroups, schema: namedDoorGroup },
  siteGroups: { collection: siteGroups, schema: namedGroup },
  interlockingGroups: { collection: interlockingGroups, schema: namedGroup },
}

/** The fields that hold the members of the groups of a list. */
export const memberFields: Readonly<Record<GroupList, string>> = {
  userGroups: memberField,
  doorGroups: memberField,
  siteGroups: memberField,
  interlockingGroups: 'doors',
}

type StoredLists = { readonly [List in PolicyList]: StoredList<PolicyItems[List]> }
export type StoredList<Item> = { readonly collection: Collection; readonly schema: z.ZodType<Item> & { shape: object } }

/** A stored item that is left out of the policy, and why. */
export type UnreadableItem = { collection: string; item: string; name: string; fault: string }

type ReadStoredInput<Item> = {
  collection: Collection
  schema: z.ZodType<Item>
  /** The item as JSON. */
  text: string
  onUnreadable: (unreadable: UnreadableItem) => void
}

const named = z.object({ _id: z.string().catch(''), name: z.string().catch('') })
const denyRule = z.looseObject({ effect: z.literal('deny') })

/**
 * Reads one stored item. One that does not match gives no access: it is left out and reported, but a deny rule
 * applies at all times. Throws if not even that can be read.
 */
export function readStored<Item>({ collection, schema, text, onUnreadable }: ReadStoredInput<Item>): Item | undefined {
  const value: unknown = JSON.parse(text)
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const { _id, name } = named.parse(value)
  onUnreadable({ collection: collection.name, item: _id, name, fault: `${issue?.path.join('.')}: ${issue?.message}` })
  const deny = denyRule.safeParse(value)
  return deny.success ? schema.parse({ ...deny.data, schedule: null, adhoc: null }) : undefined
}
