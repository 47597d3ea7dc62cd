import { doorModes } from '@portcullis/domain/policy'
import { z } from 'zod'
import { refusalCodes } from './unit-protocol/refusal-codes.ts'

/**
 * What else an event reports, as a code with its values: the console words it. What a controller says of itself is in
 * `detail`, in the controller's own words.
 */
export const eventNote = z.discriminatedUnion('code', [
  z.object({ code: z.literal('decided_by'), name: z.string() }),
  z.object({ code: z.literal('recertified_by'), name: z.string() }),
  z.object({ code: z.literal('door_mode'), mode: z.enum(doorModes) }),
  z.object({ code: z.literal('config_applied'), version: z.int() }),
  z.object({ code: z.literal('config_rejected'), version: z.int(), reason: z.string() }),
  z.object({ code: z.literal('clock_ahead'), seconds: z.int() }),
  z.object({ code: z.literal('clock_behind'), seconds: z.int() }),
  /** Sequence numbers that were skipped. */
  z.object({ code: z.literal('records_missing'), from: z.int(), to: z.int() }),
  z.object({
    code: z.literal('connection_refused'),
    refusal: z.enum(refusalCodes),
    address: z.string(),
    /** As the controller gave it, if it did. */
    serial: z.string().nullable(),
    /** Equal refusals from this address since the last event, which had none of their own. */
    repeated: z.int(),
  }),
])
export type EventNote = z.output<typeof eventNote>
