import { doorModes } from '@portcullis/domain/policy'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import { z } from 'zod'
import { capacityKinds } from './unit-capacity.ts'
import { refusalCodes } from './unit-protocol/refusal-codes.ts'

const capacityUse = z.object({ kind: z.enum(capacityKinds), used: z.int(), most: z.int() })

/**
 * Additional information of an event, as a code with its values that the console puts into words. Text from a
 * controller is in `detail`, unchanged.
 */
export const eventNote = z.discriminatedUnion('code', [
  z.object({ code: z.literal('decided_by'), name: z.string() }),
  z.object({ code: z.literal('recertified_by'), name: z.string() }),
  z.object({ code: z.literal('door_mode'), mode: z.enum(doorModes) }),
  /** The PIN was one for duress: the door opened as usual. */
  z.object({ code: z.literal('duress') }),
  /** The controller has no room for the credential, the door, or a schedule of the user's rules. */
  z.object({ code: z.literal('left_out') }),
  /** The user entered an area twice, or left it twice, which is only reported there. */
  z.object({ code: z.literal('antipassback_tolerated') }),
  z.object({ code: z.literal('config_applied'), version: z.int() }),
  z.object({ code: z.literal('config_rejected'), version: z.int(), reason: z.string() }),
  z.object({ code: z.literal('not_compiled') }),
  /** The highest configuration version that the controller claims to have accepted. */
  z.object({ code: z.literal('implausible_version'), version: z.int() }),
  z.object({ code: z.literal('clock_ahead'), seconds: z.int() }),
  z.object({ code: z.literal('clock_behind'), seconds: z.int() }),
  /** What the controller needs to hold and what it can: of the kind that exceeds its capacity the most, then of the others. */
  capacityUse.extend({ code: z.literal('capacity_exceeded'), others: z.array(capacityUse).optional() }),
  /** The missing sequence numbers. */
  z.object({ code: z.literal('records_missing'), from: z.int(), to: z.int() }),
  /** Why a door did not open when a guest pressed its button on the page of their link. */
  z.object({ code: z.literal('guest_refused'), reason: z.enum([...reasonCodes, 'needs_reader']) }),
  /** A lockdown of a plan that begins or ends, with the number of its doors that concern the account of the event. */
  z.object({
    code: z.literal('lockdown'),
    plan: z.string(),
    doors: z.int(),
    by: z.enum(['user', 'card', 'time']),
  }),
  /** Requests refused within a minute because the user lacks a right, and at most 5 of their routes. */
  z.object({ code: z.literal('requests_refused'), count: z.int(), routes: z.array(z.string()) }),
  /** Further connections of controllers refused within a minute, beyond those with an event of their own. */
  z.object({ code: z.literal('connections_refused'), count: z.int() }),
  z.object({
    code: z.literal('connection_refused'),
    refusal: z.enum(refusalCodes),
    address: z.string(),
    /** As reported by the controller, if it was. */
    serial: z.string().nullable(),
    /** Equal refusals from this address since the last event that were not recorded as events. */
    repeated: z.int(),
  }),
])
export type EventNote = z.output<typeof eventNote>
