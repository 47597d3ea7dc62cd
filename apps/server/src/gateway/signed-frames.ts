import type { SharedPassage } from '@portcullis/contract/unit-protocol/frame-fields'
import type { InterlockAnswered } from '@portcullis/contract/unit-protocol/interlock-frames'
import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import {
  approvalOutcomeText,
  blocklistText,
  clockText,
  commandText,
  doorCommandText,
  interlockText,
  passagesText,
} from '@portcullis/contract/unit-protocol/signed-texts'
import { type KeyPair, signText } from '@portcullis/controllers/keys'
import type { DueCommand } from '../commands/commands.ts'

/** A unit's connection, by the nonce that the unit has sent in its hello, and the key that signs for it. */
export type SignedConnection = { unit: string; nonce: string; key: KeyPair }

/** A command that this unit runs on this connection only. */
export function commandFrame({ key, ...connection }: SignedConnection, due: DueCommand & { at: string }): ServerFrame {
  const text = { ...connection, ...due }
  const signature = signText(key.privateKey, commandText(text))
  return { type: 'command', ...due, signature, doorSignature: signText(key.privateKey, doorCommandText(text)) }
}

type Ended = { id: string; outcome: 'denied' | 'timeout' | 'unavailable' }

/** The end of a request that was not granted. */
export function outcomeFrame({ key, ...connection }: SignedConnection, ended: Ended): ServerFrame {
  const signature = signText(key.privateKey, approvalOutcomeText({ ...connection, ...ended }))
  return { type: 'approvalOutcome', ...ended, signature }
}

type SharedPassages = { passages: SharedPassage[]; upTo: string }

/** Passages at other units, of which this unit has all that were stored until `upTo`. */
export function passagesFrame({ key, ...connection }: SignedConnection, shared: SharedPassages): ServerFrame {
  const signature = signText(key.privateKey, passagesText({ ...connection, ...shared }))
  return { type: 'passages', ...shared, signature }
}

/** Credentials that this unit must deny from now on, and those that it may decide about again. */
export function blocklistFrame(
  { key, ...connection }: SignedConnection,
  list: { block: string[]; unblock: string[] },
): ServerFrame {
  const signature = signText(key.privateKey, blocklistText({ ...connection, ...list }))
  return { type: 'blocklist', ...list, signature }
}

/** Whether the door that this unit has asked about may be released. */
export function interlockFrame(
  { key, ...connection }: SignedConnection,
  answer: { id: string; outcome: InterlockAnswered },
): ServerFrame {
  const signature = signText(key.privateKey, interlockText({ ...connection, ...answer }))
  return { type: 'interlockAnswer', ...answer, signature }
}

/** The server's clock, in answer to a hello or heartbeat that the unit sent at `requestedAt`, by its own clock. */
export function signedClock({ key, ...connection }: SignedConnection, times: { requestedAt: string; at: string }) {
  return { at: times.at, signature: signText(key.privateKey, clockText({ ...connection, ...times })) }
}
