import { doorModes } from '@portcullis/domain/policy'
import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { instant, reference } from '../fields.ts'
import { name } from '../names.ts'
import { highestDoorNumber } from '../unit-capacity.ts'

export const doorStates = ['unknown', 'closed', 'open', 'held', 'forced'] as const

/** `mayPass`: the user groups whose members may pass; absent: none. */
const doorLockdown = z.object({ _id: z.uuid(), name: z.string(), mayPass: z.array(z.uuid()).optional() })

/** A door of a site, wired to one unit under the number `unitDoor`. */
export const doors = defineCollection({
  name: 'doors',
  entity: 'door',
  subject: 'Sites',
  fields: {
    required: { name: name(), site: reference('sites') },
    optional: {
      unit: reference('units').nullable().default(null),
      unitDoor: z.int().min(1).max(highestDoorNumber).nullable().default(null),
      enabled: z.boolean().default(true),
      relockAfterSeconds: z.int().min(1).max(600).default(5),
      heldOpenAfterSeconds: z.int().min(5).max(3_600).default(30),
      directions: z.strictObject({ entry: z.boolean(), exit: z.boolean() }).default({ entry: true, exit: false }),
      /** Cardholders enter their PIN after their card. */
      requiresPin: z.boolean().default(false),
      /** A PIN opens the door without a card. */
      acceptsPinAlone: z.boolean().default(false),
      /** The door opens only for two cardholders who may both pass. */
      requiresTwoPersons: z.boolean().default(false),
      /** Each day, a member of this group must enter before other users can. */
      firstPersonGroup: reference('userGroups').nullable().default(null),
      /** Users who may pass wait until an operator approves. */
      requiresRemoteAuth: z.boolean().default(false),
      /** The door stands unlocked while this schedule is open, unless a mode is set. */
      unlockSchedule: reference('schedules').nullable().default(null),
    },
    server: {
      /** The desired mode, set by `PUT /api/doors/{id}/mode`. After its end the schedule applies again. */
      mode: z.enum(doorModes).default('normal'),
      modeUntil: instant().nullable().default(null),
      modeVersion: z.int().default(0),
      modeSetAt: instant().nullable().default(null),
      /** The active lockdowns of plans that name the door: while there is one, `mode` is `lockdown`. */
      lockdowns: z.array(doorLockdown).default([]),
      /** The mode to which the door returns after the last of them. */
      modeAfterLockdown: z
        .object({ mode: z.enum(doorModes), modeUntil: instant().nullable() })
        .nullable()
        .default(null),
    },
    state: {
      state: z.enum(doorStates).default('unknown'),
      stateAt: instant().nullable().default(null),
      /** The mode version that the controller has confirmed last; the mode is applied if it equals `modeVersion`. */
      appliedModeVersion: z.int().default(0),
      /** When the mode was last sent to the controller, and when the controller last confirmed one. */
      modeSentAt: instant().nullable().default(null),
      modeAppliedAt: instant().nullable().default(null),
    },
  },
  searchable: ['name'],
  queryable: [
    'name',
    'site',
    'unit',
    'unitDoor',
    'enabled',
    'requiresPin',
    'acceptsPinAlone',
    'requiresTwoPersons',
    'firstPersonGroup',
    'requiresRemoteAuth',
    'unlockSchedule',
    'mode',
    'state',
  ],
})
