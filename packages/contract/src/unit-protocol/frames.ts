import { z } from 'zod'
import { directions, doorModes } from '@portcullis/domain/policy'
import {
  answeredSignature,
  applied,
  base64,
  doorId,
  doorNumber,
  hash,
  maxStored,
  mayPass,
  passage,
  sequence,
  version,
} from './frame-fields.ts'
import { interlockAnswer, interlockRequest, interlockState } from './interlock-frames.ts'
import { presentedKinds } from './records.ts'
import { refusalCodes } from './refusal-codes.ts'
import { highestDoorNumber, unitCapacity } from '../unit-capacity.ts'
import { unitText } from './unit-text.ts'

/** The native protocol's WebSocket subprotocol; every signed text starts with it. */
export const subprotocol = 'portcullis.unit.v1'

/** Where units connect, on the server's own port. */
export const unitsPath = '/units'

export const limits = {
  frameBytes: 256 * 1024,
  /** Of the first frame. The longest hello, with a mode of each door number, takes a quarter of it. */
  introductionBytes: 16 * 1024,
  eventsPerFrame: 500,
  configChunkBytes: 64 * 1024,
  passagesPerFrame: 500,
  /** The most credentials that a unit has blocked until its configuration no longer contains them; the oldest give way. */
  blockedCredentials: 200,
  heartbeatSeconds: 20,
  /** A unit that has not sent `hello` or `enrol` within this time is disconnected. */
  handshakeMs: 10_000,
  /** A disabled unit has this long to apply the configuration that closes its doors. */
  disablingMs: 10_000,
  /** The time within which an operator must decide a request at a reader. */
  approvalSeconds: 60,
  /** The time in which the second of two persons must present a credential. */
  secondPersonSeconds: 20,
  /** A unit without an answer of the server about an interlock in this time keeps the door locked. */
  interlockMs: 2_000,
  /** After this many wrong PINs in a row, the unit accepts none for some minutes: of that user, or at that keypad. */
  wrongPins: 5,
  pinLockedMinutes: 15,
} as const

/** Frames of a unit. `publicKey` and `signature` are base64: Ed25519, the key as SPKI DER. */
export const unitFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('enrol'),
    code: unitText(64).min(1),
    serial: unitText(60).min(1),
    model: unitText(80).optional(),
    firmware: unitText(80).optional(),
    publicKey: base64.max(200),
    signature: base64.max(200),
  }),
  z.object({
    type: z.literal('hello'),
    unit: z.uuid(),
    serial: unitText(60).min(1),
    firmware: unitText(80).optional(),
    signature: base64.max(200),
    /**
     * Chosen by the unit at random, new for each connection. The server signs commands, outcomes and its clock over it,
     * so that no signature of an earlier connection is valid again.
     */
    nonce: base64.min(16).max(200),
    /** The applied configuration, and the highest version that the unit has ever accepted. */
    applied,
    highestVersion: version,
    /**
     * The version of the mode that the unit has stored for each door number; the server continues above them. Earlier
     * units omit it.
     */
    doorModes: z
      .array(z.object({ door: doorNumber, version }))
      .max(highestDoorNumber)
      .optional(),
    /** The highest `upTo` of the `passages` that the unit has stored; absent for a unit that has none stored. */
    passagesUpTo: z.iso.datetime().optional(),
    /** The credentials that a `blocklist` has blocked, as stored on the disk; units that do not block any omit it. */
    blocked: z.array(z.uuid()).max(limits.blockedCredentials).optional(),
    /** The maximum that the unit can hold, if it reports it. */
    capacity: unitCapacity.optional(),
    /** Whether the unit applies deltas. Units that do not report it get every configuration whole. */
    deltas: z.boolean().optional(),
    /** The time of the unit's clock. */
    at: z.iso.datetime(),
  }),
  z.object({
    type: z.literal('heartbeat'),
    at: z.iso.datetime(),
    pendingEvents: z.int().min(0).max(maxStored),
    applied,
    /** The `heartbeatRequest` that it answers. */
    request: z.uuid().optional(),
    /** The unit is being tampered with now, or runs on its battery now. A unit that cannot detect this omits it. */
    tampered: z.boolean().optional(),
    onBattery: z.boolean().optional(),
  }),
  z.object({ type: z.literal('configApplied'), version, hash }),
  /** The reason begins with one of the `rejectionCodes`, or has the unit's own words, which the console shows as they are. */
  z.object({ type: z.literal('configRejected'), version, reason: unitText(500) }),
  z.object({
    type: z.literal('events'),
    logId: z.uuid(),
    /** In order, without gaps; the server stores an unreadable body raw and acknowledges it. */
    records: z
      .array(z.object({ seq: sequence, body: z.unknown() }))
      .min(1)
      .max(limits.eventsPerFrame),
  }),
  z.object({
    type: z.literal('commandResult'),
    id: z.uuid(),
    outcome: z.enum(['done', 'refused', 'expired']),
    detail: unitText(200).optional(),
  }),
  /** The unit has stored the key of a `serverKey` frame, or already trusts it. */
  z.object({ type: z.literal('serverKeyKept'), serverKey: base64.max(200) }),
  /**
   * The door applies the mode of this version, which the unit has already stored on disk. Also the answer to a mode that
   * is older than the stored one. The server replaces a stored mode that is not the one it has sent, with a higher
   * version. `stored` is the stored mode; earlier units omit it, and units that let no users pass during a lockdown omit `mayPass`.
   */
  z.object({
    type: z.literal('doorModeApplied'),
    door: doorNumber,
    version,
    stored: z
      .object({
        doorId: z.uuid().nullable(),
        mode: z.enum(doorModes),
        until: z.iso.datetime().nullable(),
        mayPass: mayPass.optional(),
      })
      .optional(),
  }),
  /**
   * Asks an operator to approve a cardholder at a door that needs approval. The unit waits and decides again once it
   * has the answer. The unit chooses `id`; a repeated `id` is the same request.
   */
  z
    .object({
      type: z.literal('approvalRequest'),
      id: z.uuid(),
      door: doorNumber,
      direction: z.enum(directions),
      kind: z.enum(presentedKinds),
      /** Empty for a PIN, which no frame contains. */
      number: unitText(64),
      /** The credential of a PIN that was entered without a card. */
      credential: z.uuid().optional(),
    })
    .describe(
      'Asks an operator to approve a cardholder at a reader. Answered by a command that names this request (granted) or by approvalOutcome. A unit that is not connected does not send it and reports remote_unavailable.',
    ),
  interlockRequest,
  interlockState,
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
    /** The server's clock, signed over unit, nonce, the `at` of the hello and this time. */
    at: z.iso.datetime(),
    signature: base64,
  }),
  /**
   * The installation's key was rotated: `serverKey` signs from now on. Sent after the hello of a unit that trusts an earlier
   * key, before `welcome`, and signed with that earlier key over unit, new key and time. The unit stores both and accepts
   * signatures of either, until the clock of a welcome or heartbeatAck is signed with the new key; it answers
   * serverKeyKept. It ignores a frame that no key it trusts has signed.
   */
  z.object({ type: z.literal('serverKey'), serverKey: base64.max(200), at: z.iso.datetime(), signature: base64 }),
  /**
   * Null as `base` announces a snapshot, and a version a delta from the configuration that the unit applies under that
   * version. Signed over unit, version, base and `hash`, the hash of the bytes as sent. A unit that rejects a delta gets
   * the snapshot of the same version.
   */
  z.object({
    type: z.literal('config'),
    version: z.int().min(1),
    base: z.int().nullable(),
    policyVersion: z.int(),
    hash,
    signature: base64,
    chunks: z.int().min(1),
  }),
  z.object({ type: z.literal('configChunk'), version: z.int(), index: z.int().min(0), data: base64 }),
  z.object({ type: z.literal('ack'), logId: z.uuid(), upTo: z.int().min(0) }),
  /**
   * Signed over nonce, unit and all other fields. A unit runs a command at most once, only with a valid signature, and
   * only while its configuration names the door `doorId` at the number `door`; it answers refused to any other.
   * `signature` is for units that do not read `doorId`, and covers all fields but that one; others check
   * `doorSignature`.
   */
  z.object({
    type: z.literal('command'),
    id: z.uuid(),
    action: z.literal('unlockOnce'),
    door: z.int().min(1),
    doorId,
    /** Counted on the unit's monotonic clock; never run later. */
    timeToLiveMs: z.int().min(1),
    /** The approval request that this grants; a unit that no longer waits for it refuses the command. */
    request: z
      .uuid()
      .optional()
      .describe(
        'The approvalRequest that this grants: the unit decides again, as approved, and opens for the waiting cardholder.',
      ),
    /** The server's clock at sending: the unit, which knows its offset to it, deducts the time on the network. */
    at: z.iso.datetime(),
    signature: answeredSignature,
    doorSignature: answeredSignature,
  }),
  /**
   * The desired mode of one door, sent before any configuration and again after every hello; `normal` without a door for
   * a number that a door has left. Versions of a door number only grow, also from one door to the next. A version that
   * is not above the last one changes nothing. `unlocked` applies only while the configuration names the door `doorId`
   * at this number; the other modes apply at once. Signed over unit, door, version, mode and end, by `doorSignature`
   * also over `doorId`. Units that do not read `doorId` check `signature`, others `doorSignature`.
   */
  z.object({
    type: z.literal('doorMode'),
    door: z.int().min(1),
    version: z.int().min(1),
    mode: z.enum(doorModes),
    until: z.iso.datetime().nullable(),
    doorId,
    signature: base64,
    doorSignature: answeredSignature,
    /** Of a lockdown: holders whose `access` names a group of each list still pass. Without a valid signature, none do. */
    mayPass: mayPass.optional(),
    mayPassSignature: answeredSignature.optional(),
  }),
  /** A request was not granted. Signed over nonce, unit, id and outcome; a unit ignores one without a valid signature. */
  z
    .object({
      type: z.literal('approvalOutcome'),
      id: z.uuid(),
      outcome: z.enum(['denied', 'timeout', 'unavailable']),
      signature: answeredSignature,
    })
    .describe(
      'The end of an approvalRequest that was not granted: an operator denied it, no operator decided in time, or no operator could be asked. The unit reports remote_denied, remote_timeout or remote_unavailable.',
    ),
  /**
   * The last passages of users at doors of other units that lead into the areas of this unit, signed over nonce, unit and
   * all other fields. The unit stores each one that is later than the one it has and not forgiven, so repeated frames change
   * nothing. After the hello come those since `passagesUpTo`.
   */
  z.object({
    type: z.literal('passages'),
    passages: z.array(passage).min(1).max(limits.passagesPerFrame),
    upTo: z.iso.datetime(),
    signature: answeredSignature,
  }),
  /**
   * Credentials whose access has ended, and blocked ones that are valid again, signed over nonce, unit and both lists. The
   * unit denies a blocked credential as unknown until its configuration no longer contains it: at once, and also after a
   * power cut as soon as the list is stored. Precedes the configuration, for units whose hello has `blocked`.
   */
  z.object({
    type: z.literal('blocklist'),
    block: z.array(z.uuid()).max(limits.blockedCredentials),
    unblock: z.array(z.uuid()).max(limits.blockedCredentials),
    signature: answeredSignature,
  }),
  interlockAnswer,
  /** The server's clock, signed over unit, nonce, the `at` of the heartbeat and this time. */
  z.object({ type: z.literal('heartbeatAck'), at: z.iso.datetime(), signature: base64 }),
  /** Asks for a heartbeat at once, which names this request. */
  z.object({ type: z.literal('heartbeatRequest'), id: z.uuid() }),
  z.object({ type: z.literal('refused'), code: z.enum(refusalCodes), message: z.string() }),
])
export type ServerFrame = z.output<typeof serverFrame>
