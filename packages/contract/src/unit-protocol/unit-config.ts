import { z } from 'zod'
import { antiPassbackKinds, doorModes, holidayKinds, ruleDirections, ruleEffects } from '@portcullis/domain/policy'
import type { ConfigDelta } from '@portcullis/domain/configuration/config-delta'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'

/** The JSON inside a configuration's bytes, from which a unit decides. Units ignore unknown fields. */
export const unitConfig: z.ZodType<UnitConfig> = z.lazy(() =>
  z.object({
    unit: z.uuid(),
    inService: z.boolean().describe('False: the controller is disabled and denies all access.'),
    from: z.iso.date().describe('The UTC day from which time zones and holidays are known.'),
    until: z.iso
      .date()
      .describe(
        'The UTC day before which they are known. Later, the last offset of a zone continues, without holidays.',
      ),
    sites: z.record(z.string(), calendar).describe('By id.'),
    doors: z.record(z.string(), door).describe('By the number of the door on the controller.'),
    areas: z.record(z.string(), area).describe('By id.').optional(),
    schedules: z.record(z.string(), schedule).describe('By id.'),
    rules: z.record(z.string(), rule).describe('By id.'),
    access: z
      .record(z.string(), access)
      .describe('By the id of a user group or a user: the rules at the doors of the controller that name it.'),
    holders: z.record(z.string(), holder).describe('By the key that `holder` of a credential names.'),
    credentials: z
      .record(z.string(), credential)
      .describe(
        'By the HMAC-SHA-256, in hex, of the number as UTF-8 under the decoded bytes of `secret`; see the guide for PINs.',
      ),
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
const minutes = z.object({
  from: z.int().describe('Minutes after local midnight.'),
  until: z
    .int()
    .describe(
      'Minutes after the same midnight, not included. Above 1440 it is in the next day; hours of a holiday end at 1440.',
    ),
})
const holidayHours = z
  .union([z.literal(['closed', 'asUsual']), z.array(minutes)])
  .describe('On a holiday of this kind: closed, the windows of the weekday, or these hours only.')
const validFrom = moment.nullable().describe('Valid from this moment on; null: without a beginning.')
const validUntil = moment.nullable().describe('Valid before this moment; null: without an end.')

const calendar = z.object({
  timeZone: z.string().describe('The IANA name, for display: `zone` has the offsets.'),
  zone: z.object({
    initialOffsetMinutes: z.number().describe('Before the first transition, local time is UTC plus this.'),
    transitions: z
      .array(
        z.object({
          at: z.number().describe('Milliseconds since 1970-01-01T00:00:00Z.'),
          offsetMinutes: z.number().describe('From then on, local time is UTC plus this.'),
        }),
      )
      .describe('In the order of `at`.'),
  }),
  holidays: z
    .record(z.string(), z.array(z.object({ _id: z.string(), kind: z.enum(holidayKinds) })))
    .describe('By local date, YYYY-MM-DD. Several holidays may be on one day.'),
})

const door = z.object({
  _id: z.uuid(),
  name: z.string(),
  site: z.uuid(),
  enabled: z.boolean(),
  mode: z
    .enum(doorModes)
    .describe('Applies while the controller has stored no `doorMode` frame for this number and door.'),
  modeUntil: moment.nullable().optional().describe('From then on, the mode is `normal`.'),
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
  sharedInterlock: z
    .boolean()
    .optional()
    .describe('Doors of other controllers must be closed and locked too: the server is asked before each release.'),
  areas: z
    .array(z.string())
    .optional()
    .describe('The areas into which the entry reader leads, and out of which the exit reader does.'),
  requiresRemoteAuth: z.boolean().describe('An operator must approve.'),
  unlockSchedule: z
    .string()
    .optional()
    .describe('In the mode `normal`, the door stands unlocked while this schedule is open at its site.'),
  directions: directions.describe('The directions that have a reader.'),
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
  windows: z
    .array(
      minutes.extend({ day: z.int().min(1).max(7).describe('1 is Monday, 7 Sunday: the day on which it begins.') }),
    )
    .describe('They may overlap.'),
  holidayHours: z.object({ public: holidayHours, company: holidayHours, special: holidayHours }),
})

const rule = z.object({
  effect: z.enum(ruleEffects),
  direction: z.enum(ruleDirections),
  adhoc: z
    .object({ from: moment, until: moment })
    .nullable()
    .describe('The rule applies from `from` until before `until` only.'),
  schedule: z
    .string()
    .nullable()
    .describe('Null: always. If `schedules` does not contain the id: an allow rule never applies, a deny rule always.'),
})

const access = z.object({
  doors: z
    .record(
      z.string(),
      z.object({
        allow: z.array(z.string()),
        deny: z.array(z.string()),
        first: z
          .boolean()
          .optional()
          .describe('These users enter before others can, if a rule names them at this door.'),
      }),
    )
    .describe('By the number of the door: the ids of rules.'),
})

const holder = z.object({
  user: z.string(),
  validFrom,
  validUntil,
  recertification: z.discriminatedUnion('enforced', [
    z.object({ enforced: z.literal(false) }),
    z.object({
      enforced: z.literal(true),
      by: moment.nullable().describe('From then on, and if it is null, access is denied.'),
    }),
  ]),
  access: z
    .array(z.string())
    .describe('The keys in `access` whose rules name this user: those of the groups of the user, and of the user.'),
})

const credential = z.object({
  _id: z.string().describe('The id in a `blocklist`, and in the record of a PIN.'),
  holder: z.string().describe('The key in `holders`. Without that entry, access is denied (`credential_unassigned`).'),
  kind: z.literal('pin').optional(),
  duress: z.boolean().optional(),
  validFrom,
  validUntil,
})
