import { z } from 'zod'
import { directions, doorModes } from '@portcullis/domain/policy'
import { reasonCodes } from '@portcullis/domain/decision/reasons'

const at = z.iso.datetime()
const door = z.int().min(1)
/** Version of the configuration that the unit had in force, null before the first. */
const configVersion = z.int().nullable()

/** What can be presented at a reader; a PIN comes besides one of these. */
export const presentedKinds = ['card', 'iButton', 'qr', 'mobile'] as const

/** The bodies of a unit's event records. */
export const unitRecord = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('access'),
    at,
    door,
    configVersion,
    direction: z.enum(directions),
    kind: z.enum(presentedKinds),
    number: z.string().max(64),
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
    /** Of a change of mode: what it is now. */
    mode: z.enum(doorModes).optional(),
  }),
  z.object({
    type: z.literal('unit'),
    at,
    configVersion,
    what: z.enum(['power_on', 'clock_wrong', 'sync_ok', 'sync_failed', 'log_gap']),
    detail: z.string().max(500).optional(),
  }),
])
export type UnitRecord = z.output<typeof unitRecord>
