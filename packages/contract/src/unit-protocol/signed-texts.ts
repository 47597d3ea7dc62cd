import type { SharedPassage } from './frame-fields.ts'
import { subprotocol } from './frames.ts'

/** The text that a unit signs to enrol: proves that it owns the key that it presents, for this server's nonce. */
export function enrolText({ nonce, code, serial }: { nonce: string; code: string; serial: string }) {
  return [subprotocol, 'enrol', nonce, code, serial].join('\n')
}

/** The text that a unit signs at every connection. */
export function helloText({ nonce, unit }: { nonce: string; unit: string }) {
  return [subprotocol, 'hello', nonce, unit].join('\n')
}

/** The text that the server signs over a configuration: unit, version, base and hash of the bytes as sent. */
export function configText(config: { unit: string; version: number; base: number | null; hash: string }) {
  return [subprotocol, 'config', config.unit, config.version, config.base ?? 'snapshot', config.hash].join('\n')
}

type NamedDoor = { doorId: string | null }
type DesiredDoorMode = { unit: string; door: number; version: number; mode: string; until: string | null }

type MayPassOfDoor = Pick<DesiredDoorMode, 'unit' | 'door' | 'version'> & { mayPass: readonly (readonly string[])[] }

/** The text that the server signs over the desired mode of a door number, for units that do not read `doorId`. */
export function doorModeText({ unit, door, version, mode, until }: DesiredDoorMode) {
  return [subprotocol, 'doorMode', unit, door, version, mode, until ?? 'open end'].join('\n')
}

/** The text that the server signs over the desired mode of a door: it names the door, or that its number has none. */
export function modeOfDoorText({ doorId, unit, door, version, mode, until }: DesiredDoorMode & NamedDoor) {
  const named = doorId ?? 'no door'
  return [subprotocol, 'modeOfDoor', unit, named, door, version, mode, until ?? 'open end'].join('\n')
}

/** The text that the server signs over who may pass during a lockdown: one line for each list of user groups. */
export function mayPassText({ doorId, unit, door, version, mayPass }: MayPassOfDoor & NamedDoor) {
  const lists = mayPass.map((groups) => groups.join(' '))
  return [subprotocol, 'mayPass', unit, doorId ?? 'no door', door, version, ...lists].join('\n')
}

/** One connection of a unit: `nonce` is the one that the unit has sent in its hello. */
type Connection = { unit: string; nonce: string }

type Command = {
  id: string
  action: string
  door: number
  timeToLiveMs: number
  request?: string | undefined
  at: string
}

/** The text that the server signs over a command that names its door: valid for this unit, on this connection. */
export function doorCommandText({ doorId, unit, nonce, ...command }: Connection & Command & NamedDoor) {
  const { id, action, door, timeToLiveMs, request = 'no request', at } = command
  const named = doorId ?? 'no door'
  return [subprotocol, 'doorCommand', nonce, unit, id, action, named, door, timeToLiveMs, request, at].join('\n')
}

/** The same for units that do not read `doorId`. */
export function commandText({ unit, nonce, ...command }: Connection & Command) {
  const { id, action, door, timeToLiveMs, request = 'no request', at } = command
  return [subprotocol, 'command', nonce, unit, id, action, door, timeToLiveMs, request, at].join('\n')
}

/** The text that the server signs over the end of an approval request that was not granted. */
export function approvalOutcomeText({ unit, nonce, id, outcome }: Connection & { id: string; outcome: string }) {
  return [subprotocol, 'approvalOutcome', nonce, unit, id, outcome].join('\n')
}

type Passages = { passages: readonly SharedPassage[]; upTo: string }

/** The text that the server signs over passages at other units: one line for each. */
export function passagesText({ unit, nonce, passages, upTo }: Connection & Passages) {
  const lines = passages.map(({ area, user, direction, at }) => `${area} ${user} ${direction ?? 'unknown'} ${at}`)
  return [subprotocol, 'passages', nonce, unit, upTo, ...lines].join('\n')
}

type Blocklist = { block: readonly string[]; unblock: readonly string[] }

/** The text that the server signs over credentials to block and to unblock: one line for each. */
export function blocklistText({ unit, nonce, block, unblock }: Connection & Blocklist) {
  const lines = [...block.map((id) => `block ${id}`), ...unblock.map((id) => `unblock ${id}`)]
  return [subprotocol, 'blocklist', nonce, unit, ...lines].join('\n')
}

/** The text that the server signs over whether a door of a shared interlock may be released. */
export function interlockText({ unit, nonce, id, outcome }: Connection & { id: string; outcome: string }) {
  return [subprotocol, 'interlock', nonce, unit, id, outcome].join('\n')
}

/**
 * The text that the server signs over its clock: `requestedAt` is the unit's time in the hello or heartbeat that it
 * answers.
 */
export function clockText({ unit, nonce, requestedAt, at }: Connection & { requestedAt: string; at: string }) {
  return [subprotocol, 'clock', nonce, unit, requestedAt, at].join('\n')
}

/** The text that the server signs with an earlier key to announce the one that replaces it. */
export function serverKeyText({ unit, serverKey, at }: { unit: string; serverKey: string; at: string }) {
  return [subprotocol, 'serverKey', unit, serverKey, at].join('\n')
}
