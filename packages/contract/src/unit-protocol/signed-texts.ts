import { subprotocol } from './frames.ts'

/** The text that a unit signs to enrol: it owns the key that it introduces, and means this server's nonce. */
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

type WantedOfDoor = { unit: string; door: number; version: number; mode: string; until: string | null }

/** The text that the server signs over what it wants of a door. */
export function doorModeText({ unit, door, version, mode, until }: WantedOfDoor) {
  return [subprotocol, 'doorMode', unit, door, version, mode, until ?? 'open end'].join('\n')
}
