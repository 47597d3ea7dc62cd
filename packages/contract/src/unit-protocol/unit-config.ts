import { z } from 'zod'
import { antiPassbackKinds, doorModes, holidayKinds, ruleDirections, ruleEffects } from '@portcullis/domain/policy'
import type { ConfigDelta } from '@portcullis/domain/configuration/config-delta'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'

/** The JSON inside a configuration's bytes, from which a unit decides. Units ignore unknown fields. */
export const unitConfig: z.ZodType<UnitConfig> = z.lazy(() =>
  z.object({
    unit: z.uuid(),
    inService: z.boolean(),
    from: z.iso.date(),
    until: z.iso.date(),
    sites: z.record(z.string(), calendar),
    doors: z.record(z.string(), door),
    areas: z.record(z.string(), area).optional(),
    schedules: z.record(z.string(), schedule),
    rules: z.record(z.string(), rule),
    holders: z.record(z.string(), holder),
    credentials: z.record(z.string(), credential),
  }),
)

/** The JSON inside the bytes of a configuration with a base. */
export type SentDelta = ConfigDelta & {
  /** SHA-256, in hex, of the text of the whole configuration that results. */
  readonly hash: string
}

const section = z.record(z.string(), z.unknown())
/** What differs from the base: a configuration is read as one only when the delta is applied. */
export const sentDelta: z.ZodType<SentDelta> = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  fields: z.array(z.string()),
  values: z.record(z.string(), z.unknown()),
  set: z.record(z.string(), section),
  removed: z.record(z.string(), z.array(z.string())),
})

const moment = z.iso.datetime({ offset: true })
const directions = z.object({ entry: z.boolean(), exit: z.boolean() })
const minutes = z.object({ from: z.int(), until: z.int() })
const holidayHours = z.union([z.literal(['closed', 'asUsual']), z.array(minutes)])

const calendar = z.object({
  timeZone: z.string(),
  zone: z.object({
    initialOffsetMinutes: z.number(),
    transitions: z.array(z.object({ at: z.number(), offsetMinutes: z.number() })),
  }),
  holidays: z.record(z.string(), z.array(z.object({ _id: z.string(), kind: z.enum(holidayKinds) }))),
})

const door = z.object({
  _id: z.uuid(),
  name: z.string(),
  site: z.uuid(),
  enabled: z.boolean(),
  mode: z.enum(doorModes),
  modeUntil: moment.nullable().optional(),
  relockAfterSeconds: z.number().min(0),
  heldOpenAfterSeconds: z.number().min(0),
  requiresPin: z.boolean().describe('A card needs the PIN of its user.'),
  acceptsPinAlone: z.boolean().optional().describe('A PIN opens the door without a card.'),
  requiresTwoPersons: z.boolean().optional().describe('Two users who may both pass must present credentials.'),
  firstPerson: z
    .boolean()
    .optional()
    .describe('On each day at the site, a user marked `first` must enter before others can.'),
  interlock: z
    .array(z.int())
    .optional()
    .describe('The numbers of the doors that must be closed and locked before this one is released.'),
  areas: z
    .array(z.string())
    .optional()
    .describe('The areas into which the entry reader leads, and out of which the exit reader does.'),
  requiresRemoteAuth: z.boolean().describe('An operator must approve.'),
  directions,
})

const area = z.object({
  kind: z.enum(antiPassbackKinds),
  minutes: z.int().describe('Of `timed`: how long a user who has entered cannot enter again.'),
  forgivenAllAt: z.string().nullable().describe('The unit forgets all passages of the area when this mark changes.'),
  forgivenAt: z
    .record(z.string(), z.string())
    .describe('By user: the unit forgets their passages when the mark changes.'),
})

const schedule = z.object({
  windows: z.array(minutes.extend({ day: z.int().min(1).max(7) })),
  holidayHours: z.object({ public: holidayHours, company: holidayHours, special: holidayHours }),
})

const rule = z.object({
  effect: z.enum(ruleEffects),
  direction: z.enum(ruleDirections),
  adhoc: z.object({ from: moment, until: moment }).nullable(),
  schedule: z.string().nullable(),
})

const holder = z.object({
  user: z.string(),
  validFrom: moment.nullable(),
  validUntil: moment.nullable(),
  recertification: z.discriminatedUnion('enforced', [
    z.object({ enforced: z.literal(false) }),
    z.object({ enforced: z.literal(true), by: moment.nullable() }),
  ]),
  doors: z.record(
    z.string(),
    z.object({ allow: z.array(z.string()), deny: z.array(z.string()), first: z.boolean().optional() }),
  ),
})

const credential = z.object({
  _id: z.string(),
  holder: z.string(),
  kind: z.literal('pin').optional(),
  duress: z.boolean().optional(),
  validFrom: moment.nullable(),
  validUntil: moment.nullable(),
})
