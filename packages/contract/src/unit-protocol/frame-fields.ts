import { z } from 'zod'
import { directions } from '@portcullis/domain/policy'

export const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/)
/** A signature that is missing is read as one that is not valid, so that the unit can answer that it refuses. */
export const answeredSignature = z.string().max(200).catch('')
/** The door at a door number; null where the unit's number has no door, and if an earlier server does not send it. */
export const doorId = z.uuid().nullable().default(null)
/** For each lockdown of a door, the user groups that it lets pass. */
export const mayPass = z.array(z.array(z.uuid()).min(1)).min(1)
export const hash = z.string().regex(/^[0-9a-f]{64}$/)
export const sequence = z.int().min(1)

/** The server stores these as 32-bit integers. */
export const maxStored = 2 ** 31 - 1
export const version = z.int().min(0).max(maxStored)
export const doorNumber = z.int().min(1).max(maxStored)

export const passage = z.object({
  /** The door group whose anti-passback the passage concerns. */
  area: z.uuid(),
  user: z.uuid(),
  /** Null: on which side the user is since then is unknown, so they may enter and leave. */
  direction: z.enum(directions).nullable(),
  /** By the server's clock. */
  at: z.iso.datetime(),
})
/** A user's last passage into or out of an area. */
export type SharedPassage = z.output<typeof passage>

export const applied = z.object({ version, hash }).nullable()
