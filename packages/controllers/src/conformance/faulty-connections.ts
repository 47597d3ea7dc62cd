import { limits } from '@portcullis/contract/unit-protocol/frames'
import { changes, type FaultyUnit, replaces } from './faulty-unit.ts'
import { unit } from './signing-server.ts'
import type { Tamper } from './tampering-proxy.ts'

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

/** Confirms any key of a server. */
const keepsAnyKey: Tamper = {
  toUnit: (frame, answer) => {
    if (frame['type'] === 'serverKey') answer({ type: 'serverKeyKept', serverKey: frame['serverKey'] })
    return frame
  },
}

const enrolledHello = {
  type: 'hello',
  unit,
  firmware: '1',
  signature: 'AAAA',
  nonce: 'A'.repeat(44),
  applied: null,
  highestVersion: 0,
  doorModes: [],
  at: '2026-03-01T09:00:00.000Z',
}

/** Units with faults of enrolment, connections, heartbeats and keys. */
export const faultyConnections: FaultyUnit[] = [
  [
    'enrols with another code',
    () => changes('enrol', (frame) => ({ ...frame, code: 'ANOTHER' })),
    'Enrolment: enrols with the code, signed with its key',
    'It sent the code ANOTHER.',
  ],
  [
    'is enrolled already',
    () => changes('enrol', (frame) => ({ ...enrolledHello, serial: frame['serial'] })),
    'Enrolment: enrols with the code, signed with its key',
    'It said hello, so it is enrolled already. Reset it, so that it enrols again.',
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
    'repeats its nonce',
    () => changes('hello', (frame) => ({ ...frame, nonce: 'A'.repeat(44) })),
    'Connection: connects again after each cut, with a new nonce',
    'It repeated the nonce of its last hello.',
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
  [
    'keeps any new key',
    () => keepsAnyKey,
    'Enrolment: ignores a new key that its server did not sign',
    'It confirmed the key.',
  ],
  [
    'ignores new keys',
    () => changes('serverKeyKept', () => undefined),
    'Enrolment: keeps a new key that its server has signed',
    'It did not confirm the key.',
  ],
  [
    'obeys earlier keys',
    () => replaces('commandResult', '"refused","detail":"not_signed"', '"done"'),
    'Enrolment: obeys only the new key once a clock is signed with it',
    'It answered done instead of refused.',
  ],
]
