import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { mayPassText, modeOfDoorText } from '@portcullis/contract/unit-protocol/signed-texts'
import type { UnitDoor } from '@portcullis/domain/configuration/unit-config'
import { modeAt } from '@portcullis/domain/decision/door-mode'
import { type DoorMode, doorModes } from '@portcullis/domain/policy'
import { z } from 'zod'
import { signerOf } from './keys.ts'

export type DoorModeFrame = Extract<ServerFrame, { type: 'doorMode' }>

const storedMode = z.object({
  /** The door for which the mode was set; null if the number has no door, missing in files of earlier units. */
  doorId: z.uuid().nullable().optional(),
  version: z.int(),
  mode: z.enum(doorModes),
  until: z.iso.datetime().nullable(),
  /** Of a lockdown: see the frame. */
  mayPass: z.array(z.array(z.uuid())).optional(),
})
export const storedModes = z.record(z.string(), storedMode)
/** The desired mode of each door number, as stored on the unit's disk, also of a number that has no door now. */
export type StoredModes = z.output<typeof storedModes>

type Received =
  | { outcome: 'kept'; modes: StoredModes }
  /** The version is not newer: the stored mode stays. */
  | { outcome: 'known' }
  | { outcome: 'refused'; reason: string }

type ReceiveDoorModeInput = { frame: DoorModeFrame; modes: StoredModes; unit: string; serverKeys: readonly string[] }

/** Accepts the desired mode of a door, if the server has signed it and it is newer than the one stored for its number. */
export function receiveDoorMode({ frame, modes, unit, serverKeys }: ReceiveDoorModeInput): Received {
  const { door, doorId, version, mode, until, doorSignature } = frame
  const text = modeOfDoorText({ unit, doorId, door, version, mode, until })
  if (!signerOf({ publicKeys: serverKeys, text, signature: doorSignature })) {
    return { outcome: 'refused', reason: `refused a mode of door ${door}: it is not signed by the server of this unit` }
  }
  const current = modes[door]
  const mayPass = signedMayPass({ frame, unit, serverKeys })
  // A mode that was stored without `doorId` or `mayPass` is completed by its own frame.
  const isCompleted =
    current?.version === version && (current.doorId === undefined || (mayPass && !current.mayPass) === true)
  if (current && current.version >= version && !isCompleted) return { outcome: 'known' }
  return { outcome: 'kept', modes: { ...modes, [door]: { doorId, version, mode, until, ...(mayPass && { mayPass }) } } }
}

type SignedMayPassInput = Omit<ReceiveDoorModeInput, 'modes'>

/** The exceptions of a lockdown; without the server's signature there are none. */
function signedMayPass({ frame, unit, serverKeys }: SignedMayPassInput) {
  const { door, doorId, version, mayPass, mayPassSignature: signature = '' } = frame
  if (!mayPass) return undefined
  const text = mayPassText({ unit, door, doorId, version, mayPass })
  return signerOf({ publicKeys: serverKeys, text, signature }) ? mayPass : undefined
}

/** `configured` is the door that the configuration names at the number. */
type StoredModeAtInput = { door: number; configured: UnitDoor | undefined; at: number }

/**
 * The stored mode that applies at a door number at a moment; undefined if the configuration decides. A mode that was set
 * for another door than the configuration names never unlocks. It does lock: a lockdown does not wait for the
 * configuration that names its door.
 */
export function storedModeAt(modes: StoredModes, { door, configured, at }: StoredModeAtInput): DoorMode | undefined {
  const current = modes[door]
  if (!current) return undefined
  const mode = modeAt({ mode: current.mode, modeUntil: current.until }, at)
  const isOfDoor = configured !== undefined && current.doorId === configured._id
  if (isOfDoor || mode === 'lockdown' || mode === 'blocked') return mode
  return configured && modeAt(configured, at) === 'unlocked' ? 'normal' : undefined
}

/** The user groups that may pass during the lockdown that applies at a door number; only of the door that is configured there. */
export function storedMayPassAt(modes: StoredModes, { door, configured }: Omit<StoredModeAtInput, 'at'>) {
  const current = modes[door]
  return configured !== undefined && current?.doorId === configured._id ? current.mayPass : undefined
}
