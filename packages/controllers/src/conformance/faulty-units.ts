import { randomUUID } from 'node:crypto'
import { limits } from '@portcullis/contract/unit-protocol/frames'
import { z } from 'zod'
import { credentials } from './signing-server.ts'
import type { Tamper } from './tampering-proxy.ts'

type Frame = Parameters<NonNullable<Tamper['toServer']>>[0]

/** Frames of a type with other values; all others unchanged. */
export const changes = (type: string, other: (frame: Frame) => Frame | Frame[] | undefined): Tamper => ({
  toServer: (frame) => (frame['type'] === type ? other(frame) : frame),
})

const anyFrame = z.record(z.string(), z.unknown())

/** Frames of a type with another text in their JSON. */
export const replaces = (type: string, text: string, by: string) =>
  changes(type, (frame) => anyFrame.parse(JSON.parse(JSON.stringify(frame).replaceAll(text, by))))

/** Applies what it rejects for this reason. */
const applies = (reason: string) =>
  changes('configRejected', (frame) =>
    String(frame['reason']).startsWith(reason)
      ? { type: 'configApplied', version: frame['version'], hash: 'f'.repeat(64) }
      : frame,
  )

/** Says that it has done what it refuses or lets expire for this reason. */
const does = (reason: string) =>
  changes('commandResult', (frame) =>
    frame['outcome'] === reason || frame['detail'] === reason ? { ...frame, outcome: 'done' } : frame,
  )

/** Confirms other hashes of this version. */
const miscounts = (version: number) =>
  changes('configApplied', (frame) => (frame['version'] === version ? { ...frame, hash: 'f'.repeat(64) } : frame))

/** Denies the first command in a lockdown only. */
function forgetsLockdown() {
  let denied = 0
  return changes('commandResult', (frame) =>
    frame['detail'] === 'door_locked_down' && ++denied > 1 ? { ...frame, outcome: 'done' } : frame,
  )
}

/** After a frame of an unknown type, it answers no requests on this connection. */
function stopsAtUnknown(): Tamper {
  let hasStopped = false
  return {
    toUnit: (frame) => {
      hasStopped ||= frame['type'] === 'aFrameOfTheFuture'
      return hasStopped && frame['type'] === 'heartbeatRequest' ? undefined : frame
    },
  }
}

const confirmsForgedMode: Tamper = {
  toUnit: (frame, answer) => {
    if (frame['type'] === 'doorMode' && frame['version'] === 9) answer({ type: 'doorModeApplied', door: 1, version: 9 })
    return frame
  },
}

const blocks = (ids: readonly (string | undefined)[]) => changes('hello', (frame) => ({ ...frame, blocked: ids }))
const [forged, kept, unblocked] = credentials

/** What a unit does wrong, the rule (section and `what` of the finding) that reports it, and the sentence. */
export type FaultyUnit = [name: string, tamper: () => Tamper, rule: string, fault: string]

export const faultyUnits: FaultyUnit[] = [
  [
    'enrols with another code',
    () => changes('enrol', (frame) => ({ ...frame, code: 'ANOTHER' })),
    'Enrolment: enrols with the code, signed with its key',
    'It sent the code ANOTHER.',
  ],
  [
    'forges its enrolment',
    () => changes('enrol', (frame) => ({ ...frame, signature: 'AAAA' })),
    'Enrolment: enrols with the code, signed with its key',
    'The signature is not valid.',
  ],
  [
    'forges its hello',
    () => changes('hello', (frame) => ({ ...frame, signature: 'AAAA' })),
    'Connection: says hello, signed over the nonce',
    'The signature is not valid.',
  ],
  [
    'sends no heartbeat of its own',
    () => changes('heartbeat', (frame) => (frame['request'] === undefined ? undefined : frame)),
    'Heartbeats: sends a heartbeat when it is welcomed',
    'It sent no heartbeat.',
  ],
  [
    'answers no request for a heartbeat',
    () => changes('heartbeat', (frame) => (frame['request'] === undefined ? frame : undefined)),
    'Heartbeats: answers a request for a heartbeat',
    'It sent no heartbeat that names the request.',
  ],
  [
    'stops at a frame of an unknown type',
    stopsAtUnknown,
    'Connection: ignores frames of unknown types',
    'It sent no heartbeat that names the request.',
  ],
  [
    'begins with another number',
    () => changes('events', (frame) => ({ ...frame, records: [{ seq: 3, body: {} }] })),
    'Events: sends what it recorded, numbered from 1 without gaps',
    'The first number of a new log is 3, not 1.',
  ],
  [
    'leaves a gap in its numbers',
    () => changes('events', (frame) => ({ ...frame, records: [1, 3].map((seq) => ({ seq, body: {} })) })),
    'Events: sends what it recorded, numbered from 1 without gaps',
    'The numbers have a gap: 1, 3.',
  ],
  [
    'records another schema',
    () => changes('events', (frame) => ({ ...frame, records: [{ seq: 1, body: {} }] })),
    'Events: sends what it recorded, numbered from 1 without gaps',
    'Record 1 does not match the schema.',
  ],
  [
    'repeats its nonce',
    () => changes('hello', (frame) => ({ ...frame, nonce: 'A'.repeat(44) })),
    'Connection: connects again after each cut, with a new nonce',
    'It repeated the nonce of its last hello.',
  ],
  [
    'sends its records in another log',
    () => changes('events', (frame) => ({ ...frame, logId: randomUUID() })),
    'Events: sends again what was not acknowledged',
    'It sent them in another log.',
  ],
  [
    'applies a forged configuration',
    () => applies('bad_signature'),
    'Configuration: refuses one that the server did not sign',
    'It applied it.',
  ],
  [
    'rejects a configuration without an answer',
    () => changes('configRejected', () => undefined),
    'Configuration: refuses one that the server did not sign',
    'It did not answer that it rejects it.',
  ],
  [
    'applies a changed configuration',
    () => applies('bad_hash'),
    'Configuration: refuses one whose bytes do not have the signed hash',
    'It applied it.',
  ],
  [
    'confirms another hash',
    () => miscounts(5),
    'Configuration: applies a signed one and confirms its hash',
    'It confirmed another hash.',
  ],
  ['applies a lower version', () => applies('old_version'), 'Configuration: refuses a lower version', 'It applied it.'],
  [
    'applies a delta to another base',
    () => applies('base_unknown'),
    'Configuration: refuses a delta from a configuration that it does not apply',
    'It applied it.',
  ],
  [
    'applies a delta with another result',
    () => applies('result_differs'),
    'Configuration: refuses a delta whose result has another hash than it names',
    'It applied it.',
  ],
  [
    'confirms the hash of a delta',
    () => miscounts(6),
    'Configuration: applies a delta and confirms the hash of the whole configuration',
    'It confirmed another hash.',
  ],
  [
    'runs a forged command',
    () => does('not_signed'),
    'Commands: refuses one that the server did not sign',
    'It answered done instead of refused.',
  ],
  [
    'runs a command for another door',
    () => does('door_rewired'),
    'Commands: refuses one for another door than the configured one',
    'It answered done instead of refused.',
  ],
  [
    'runs a late command',
    () => does('expired'),
    'Commands: never runs one after its time',
    'It answered done instead of expired.',
  ],
  [
    'sends acknowledged records again',
    () => changes('events', (frame) => ({ ...frame, records: [{ seq: 1, body: {} }] })),
    'Commands: opens the door for a signed one, and records it',
    'It sent record 1 again after it was acknowledged.',
  ],
  [
    'records no command',
    () => changes('events', (frame) => (JSON.stringify(frame).includes('unlocked_once') ? undefined : frame)),
    'Commands: opens the door for a signed one, and records it',
    'It did not record that it opened the door.',
  ],
  [
    'runs a command twice',
    () => changes('commandResult', (frame) => (frame['outcome'] === 'done' ? [frame, frame] : frame)),
    'Commands: runs each one at most once',
    'It ran the same command again.',
  ],
  [
    'applies a forged mode',
    () => confirmsForgedMode,
    'Door modes: ignores one that the server did not sign',
    'It applied it.',
  ],
  [
    'does not confirm a mode',
    () => changes('doorModeApplied', () => undefined),
    'Door modes: stores and confirms a lockdown, and then refuses commands',
    'It did not confirm the mode.',
  ],
  [
    'runs a command in a lockdown',
    () => does('door_locked_down'),
    'Door modes: stores and confirms a lockdown, and then refuses commands',
    'It answered done instead of refused.',
  ],
  [
    'applies an earlier mode',
    forgetsLockdown,
    'Door modes: keeps the mode when an earlier version arrives',
    'It answered done instead of refused.',
  ],
  [
    'forgets its configuration',
    () => changes('hello', (frame) => ({ ...frame, applied: null })),
    'Configuration: names the applied configuration in its next hello',
    'The hello does not name version 8 as applied.',
  ],
  [
    'forgets its highest version',
    () => changes('hello', (frame) => ({ ...frame, highestVersion: 0 })),
    'Configuration: names the applied configuration in its next hello',
    'The hello does not name 8 as the highest version.',
  ],
  [
    'forgets its modes',
    () => changes('hello', (frame) => ({ ...frame, doorModes: [] })),
    'Door modes: names the stored modes in its next hello',
    'The hello does not name version 3 of the mode of door 1.',
  ],
  [
    'obeys a forged blocklist',
    () => blocks([forged]),
    'Ended access: ignores a blocklist that the server did not sign',
    'It blocked the credential.',
  ],
  [
    'forgets what it blocks',
    () => blocks([]),
    'Ended access: names the blocked credentials in its next hello',
    'The hello does not name the blocked credential.',
  ],
  [
    'does not unblock',
    () => blocks([kept, unblocked]),
    'Ended access: unblocks a credential',
    'The hello still names the credential as blocked.',
  ],
  [
    'sends a frame that is too long',
    () => changes('heartbeat', (frame) => ({ ...frame, reserved: 'x'.repeat(limits.frameBytes) })),
    'Connection: sends frames that match the schema',
    'It sent a frame of more than 256 KiB.',
  ],
  [
    'sends another schema',
    () => changes('heartbeat', (frame) => ({ ...frame, pendingEvents: 'none' })),
    'Connection: sends frames that match the schema',
    'pendingEvents',
  ],
]
