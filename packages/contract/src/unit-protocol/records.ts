import { z } from 'zod'
import { unitText } from './unit-text.ts'
import { directions, doorModes } from '@portcullis/domain/policy'
import { reasonCodes } from '@portcullis/domain/decision/reasons'

const at = z.iso.datetime()
/** The server stores numbers of doors and versions as 32-bit integers. */
const maxStored = 2 ** 31 - 1
const door = z.int().min(1).max(maxStored)
/** Version of the configuration that the unit had applied; null before the first. */
const configVersion = z.int().min(0).max(maxStored).nullable()

/** The kinds of credential that a reader reads. */
export const readKinds = ['card', 'iButton', 'qr', 'mobile'] as const
/** A PIN is entered after one of them, or alone. */
export const presentedKinds = [...readKinds, 'pin'] as const

/** The bodies of a unit's event records. */
export const unitRecord = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('access'),
    at,
    door,
    configVersion,
    direction: z.enum(directions),
    kind: z.enum(presentedKinds),
    /** Empty for a PIN, which no record contains. */
    number: unitText(64),
    /** The credential of a PIN that was entered without a card, if the unit found it. */
    credential: z.uuid().optional(),
    /** The PIN was one that raises a silent alarm. */
    duress: z.boolean().optional(),
    /** Entering again was granted and is only reported. */
    antiPassback: z.literal('tolerated').optional(),
    /** The door was open, so the user has passed with the grant. Otherwise a user passes when the door opens. */
    passed: z.boolean().optional(),
    verdict: z.enum(['grant', 'deny']),
    reason: z.enum(reasonCodes).nullable(),
  }),
  z.object({
    type: z.literal('door'),
    at,
    door,
    configVersion,
    what: z.enum(['opened', 'closed', 'forced', 'held', 'restored', 'exit_requested', 'unlocked_once', 'mode_changed']),
    command: z.uuid().optional(),
    /** The new mode, after a change of mode. */
    mode: z.enum(doorModes).optional(),
  }),
  z.object({
    type: z.literal('unit'),
    at,
    configVersion,
    /** `tamper`: the housing was opened, or the unit was taken off the wall. */
    what: z.enum([
      'power_on',
      'clock_wrong',
      'sync_ok',
      'sync_failed',
      'log_gap',
      'tamper',
      'tamper_ended',
      'on_battery',
      'on_mains',
    ]),
    detail: unitText(500).optional(),
  }),
])
export type UnitRecord = z.output<typeof unitRecord>
