import { z } from 'zod'
import { directions, doorModes } from '@portcullis/domain/policy'
import { presentedKinds } from './records.ts'
import { refusalCodes } from './refusal-codes.ts'
import { unitCapacity } from '../unit-capacity.ts'

/** The native protocol's name as WebSocket subprotocol; it also begins every signed text. */
export const subprotocol = 'portcullis.unit.v1'

/** Where units connect, on the server's own port. */
export const unitsPath = '/units'

export const limits = {
  frameBytes: 256 * 1024,
  eventsPerFrame: 500,
  configChunkBytes: 64 * 1024,
  heartbeatSeconds: 20,
  /** A unit that has not introduced itself by then is disconnected. */
  handshakeMs: 10_000,
  /** So long an operator may take to approve somebody at a reader. */
  approvalSeconds: 60,
} as const

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const sequence = z.int().min(1)

const applied = z.object({ version: z.int().min(0), hash }).nullable()

/** Frames of a unit. `publicKey` and `signature` are base64: Ed25519, the key as SPKI DER. */
export const unitFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('enrol'),
    code: z.string().min(1).max(64),
    serial: z.string().min(1).max(60),
    model: z.string().max(80).optional(),
    firmware: z.string().max(80).optional(),
    publicKey: base64.max(200),
    signature: base64.max(200),
  }),
  z.object({
    type: z.literal('hello'),
    unit: z.uuid(),
    serial: z.string().min(1).max(60),
    firmware: z.string().max(80).optional(),
    signature: base64.max(200),
    /** The configuration in force on the unit, and the highest version that it has ever accepted. */
    applied,
    highestVersion: z.int().min(0),
    /** What the unit can hold at most, where it tells. */
    capacity: unitCapacity.optional(),
    /** The unit's clock, as it believes it. */
    at: z.iso.datetime(),
  }),
  z.object({ type: z.literal('heartbeat'), at: z.iso.datetime(), pendingEvents: z.int().min(0), applied }),
  z.object({ type: z.literal('configApplied'), version: z.int(), hash }),
  z.object({ type: z.literal('configRejected'), version: z.int(), reason: z.string().max(500) }),
  z.object({
    type: z.literal('events'),
    logId: z.uuid(),
    /** In order, without gaps; a body that the server can't read is kept raw and acknowledged. */
    records: z
      .array(z.object({ seq: sequence, body: z.unknown() }))
      .min(1)
      .max(limits.eventsPerFrame),
  }),
  z.object({
    type: z.literal('commandResult'),
    id: z.uuid(),
    outcome: z.enum(['done', 'refused', 'expired']),
    detail: z.string().max(200).optional(),
  }),
  /** The door keeps to the mode of this version, on the disk already. */
  z.object({ type: z.literal('doorModeApplied'), door: z.int().min(1), version: z.int().min(1) }),
  /**
   * Somebody who may pass stands at a door that needs approval: an operator is asked. The unit waits, and decides again when it
   * is answered. A number of its own names the request; the same number again is the same request.
   */
  z
    .object({
      type: z.literal('approvalRequest'),
      id: z.uuid(),
      door: z.int().min(1),
      direction: z.enum(directions),
      kind: z.enum(presentedKinds),
      number: z.string().min(1).max(64),
    })
    .describe(
      'Asks an operator to approve somebody at a reader. Answered by a command that names this request (granted) or by approvalOutcome. A unit that is not connected does not ask: its reason is remote_unavailable.',
    ),
])
export type UnitFrame = z.output<typeof unitFrame>

/** Frames of the server. */
export const serverFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('challenge'), nonce: base64, at: z.iso.datetime() }),
  z.object({
    type: z.literal('enrolled'),
    unit: z.uuid(),
    name: z.string(),
    /** The key that signs this unit's configurations, and the secret under which credential numbers are hashed. */
    serverKey: base64,
    secret: base64,
  }),
  z.object({
    type: z.literal('welcome'),
    unit: z.uuid(),
    name: z.string(),
    heartbeatSeconds: z.int().min(1),
    at: z.iso.datetime(),
  }),
  z.object({
    type: z.literal('config'),
    version: z.int().min(1),
    /** Always null for a snapshot; a delta names the version that it builds on. */
    base: z.int().nullable(),
    policyVersion: z.int(),
    hash,
    signature: base64,
    chunks: z.int().min(1),
  }),
  z.object({ type: z.literal('configChunk'), version: z.int(), index: z.int().min(0), data: base64 }),
  z.object({ type: z.literal('ack'), logId: z.uuid(), upTo: z.int().min(0) }),
  z.object({
    type: z.literal('command'),
    id: z.uuid(),
    action: z.literal('unlockOnce'),
    door: z.int().min(1),
    /** Counted on the unit's monotonic clock; never run later. */
    timeToLiveMs: z.int().min(1),
    /** The approval request that this grants; a unit that does not wait for it any more refuses the command. */
    request: z
      .uuid()
      .optional()
      .describe(
        'The approvalRequest that this grants: the unit decides again, as approved, and opens for who waits there.',
      ),
    /** The server's clock at sending: a unit that measures its distance to it deducts what the network took. */
    at: z.iso.datetime(),
  }),
  /**
   * What is wanted of one door, in front of any configuration and again at every hello; a version that is not above the last
   * one changes nothing. Signed over unit, door, version, mode and end.
   */
  z.object({
    type: z.literal('doorMode'),
    door: z.int().min(1),
    version: z.int().min(1),
    mode: z.enum(doorModes),
    until: z.iso.datetime().nullable(),
    signature: base64,
  }),
  /** A request was not granted. */
  z
    .object({
      type: z.literal('approvalOutcome'),
      id: z.uuid(),
      outcome: z.enum(['denied', 'timeout', 'unavailable']),
    })
    .describe(
      'The end of an approvalRequest that was not granted: an operator denied it, nobody decided in time, or nobody could be asked. The unit reports remote_denied, remote_timeout or remote_unavailable.',
    ),
  z.object({ type: z.literal('heartbeatAck'), at: z.iso.datetime() }),
  z.object({ type: z.literal('refused'), code: z.enum(refusalCodes), message: z.string() }),
])
export type ServerFrame = z.output<typeof serverFrame>
