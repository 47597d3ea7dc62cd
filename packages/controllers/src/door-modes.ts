import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { doorModeText } from '@portcullis/contract/unit-protocol/signed-texts'
import { modeAt } from '@portcullis/domain/decision/door-mode'
import { type DoorMode, doorModes } from '@portcullis/domain/policy'
import { z } from 'zod'
import { signerOf } from './keys.ts'

export type DoorModeFrame = Extract<ServerFrame, { type: 'doorMode' }>

const storedMode = z.object({
  version: z.int(),
  mode: z.enum(doorModes),
  until: z.iso.datetime().nullable(),
})
export const storedModes = z.record(z.string(), storedMode)
/** The desired mode of each door, by its number, as stored on the unit's disk. */
export type StoredModes = z.output<typeof storedModes>

type Received =
  | { outcome: 'kept'; modes: StoredModes }
  /** The version is not newer: the unit confirms the stored mode again. */
  | { outcome: 'known' }
  | { outcome: 'refused'; reason: string }

type ReceiveDoorModeInput = { frame: DoorModeFrame; modes: StoredModes; unit: string; serverKeys: readonly string[] }

/** Accepts the desired mode of a door, if the server has signed it and it is newer than the stored one. */
export function receiveDoorMode({ frame, modes, unit, serverKeys }: ReceiveDoorModeInput): Received {
  const { door, version, mode, until, signature } = frame
  if (!signerOf({ publicKeys: serverKeys, text: doorModeText({ unit, door, version, mode, until }), signature })) {
    return { outcome: 'refused', reason: `the mode of door ${door} is not signed by the server of this unit` }
  }
  const current = modes[door]
  if (current && current.version >= version) return { outcome: 'known' }
  return { outcome: 'kept', modes: { ...modes, [door]: { version, mode, until } } }
}

/** The mode of a door at a moment, where one was ever set; otherwise the configuration decides. */
export function storedModeAt(modes: StoredModes, { door, at }: { door: number; at: number }): DoorMode | undefined {
  const current = modes[door]
  return current && modeAt({ mode: current.mode, modeUntil: current.until }, at)
}
