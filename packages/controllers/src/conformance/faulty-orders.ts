import { type RejectionCode, rejectionCodeOf } from '@portcullis/contract/unit-protocol/rejection-codes'
import { changes, type FaultyUnit } from './faulty-unit.ts'
import { credentials } from './signing-server.ts'
import type { Tamper } from './tampering-proxy.ts'

/** Applies what it rejects for this reason. */
const applies = (code: RejectionCode) =>
  changes('configRejected', (frame) =>
    rejectionCodeOf(String(frame['reason'])) === code
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

const confirmsForgedMode: Tamper = {
  toUnit: (frame, answer) => {
    if (frame['type'] === 'doorMode' && frame['version'] === 9) answer({ type: 'doorModeApplied', door: 1, version: 9 })
    return frame
  },
}

const blocks = (ids: readonly (string | undefined)[]) => changes('hello', (frame) => ({ ...frame, blocked: ids }))
const [forged, kept, unblocked] = credentials

/** Units with faults of configurations, commands, door modes and blocklists. */
export const faultyOrders: FaultyUnit[] = [
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
    'rejects a configuration for another reason',
    () => changes('configRejected', (frame) => ({ ...frame, reason: 'bad_signature_or_hash' })),
    'Configuration: refuses one that the server did not sign',
    'It gave the reason bad_signature_or_hash instead of bad_signature.',
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
    'The hello does not name version',
  ],
  [
    'forgets its highest version',
    () => changes('hello', (frame) => ({ ...frame, highestVersion: 0 })),
    'Configuration: names the applied configuration in its next hello',
    'as the highest version.',
  ],
  [
    'forgets its modes',
    () => changes('hello', (frame) => ({ ...frame, doorModes: [] })),
    'Door modes: names the stored modes in its next hello',
    'of the mode of door 1.',
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
]
