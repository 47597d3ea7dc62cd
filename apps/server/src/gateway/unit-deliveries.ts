import { highestDoorNumber } from '@portcullis/contract/unit-capacity'
import { limits, type ServerFrame, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { raiseApproval, takeOutcomes } from './approvals.ts'
import { type ChangedCredentials, changedCredentials } from '@portcullis/domain/decision/usable-credential'
import { Blocklist } from './blocklist.ts'
import type { HelloFrame } from './hello.ts'
import type { GatewayDependencies } from './gateway-dependencies.ts'
import { takeCommands } from '../commands/commands.ts'
import { configFor, configFrames, noteApplied, noteRejected, type UnitConfigState } from '../desired/config-push.ts'
import {
  type AppliedFrame,
  type DesiredMode,
  modeFrame,
  modesOf,
  noteModeApplied,
  noteModesSent,
} from '../desired/door-modes.ts'
import { TokenBucket } from '../limits/token-bucket.ts'
import { openHeartbeatRequest, openRequest } from './presence.ts'
import { announceServerKey, noteServerKey } from './server-keys.ts'
import type { OutgoingFrames } from './outgoing-frames.ts'
import { placeAndLag } from './ended-access.ts'
import { PassageQueue } from './passage-queue.ts'
import { noteInterlockState } from './shared-interlocks.ts'
import { missedPassages, type StoredPassage } from './passages-for-units.ts'
import {
  blocklistFrame,
  commandFrame,
  interlockFrame,
  outcomeFrame,
  signedClock,
  type SignedConnection,
} from './signed-frames.ts'

type Options = {
  unit: string
  /** The key of the topmost account above it. */
  root: number
  hello: UnitConfigState & Pick<HelloFrame, 'nonce' | 'deltas' | 'passagesUpTo' | 'blocked'>
  gateway: GatewayDependencies
  frames: Pick<OutgoingFrames, 'send' | 'sendAll'>
  /** The unit can get a configuration that waited for the one before it. */
  onConfirmed: () => void
}

/** A unit that has neither applied nor rejected a configuration this long after its last chunk gets a newer one. */
const confirmMs = 5_000

/** How often modes get a higher version because the unit reports others: two of each door at once. */
const raises = { burst: 2 * highestDoorNumber, perSecond: 0.1 } as const

/** Sends one connected unit its configuration, the modes of its doors, commands and outcomes of requests. */
export class UnitDeliveries {
  /** The applied configuration, as last reported. */
  config: UnitConfigState
  readonly #unit: string
  readonly #root: number
  readonly #gateway: GatewayDependencies
  readonly #frames: Options['frames']
  readonly #onConfirmed: Options['onConfirmed']
  readonly #connection: SignedConnection
  /** The version that was last sent, or found applied. */
  #settledVersion: number | undefined
  /** Whether the unit applies deltas; no longer after it has rejected one on this connection. */
  #takesDeltas: boolean
  /** The configuration that the unit has not confirmed, and until when a newer one waits for it. */
  #unconfirmed: { version: number; until: number; isDelta: boolean } | undefined
  /** Whether a newer configuration waits. */
  #isDue = false
  readonly #passagesUpTo: string | undefined
  readonly #passages: PassageQueue
  readonly #blocklist: Blocklist | undefined
  /** The version of each door's mode that was last sent here. */
  readonly #sentModes = new Map<number, number>()
  readonly #raises = new TokenBucket(raises)
  #notedAlone: Promise<void> = Promise.resolve()

  constructor({ unit, root, hello, gateway, frames, onConfirmed }: Options) {
    this.#unit = unit
    this.#root = root
    this.#connection = { unit, nonce: hello.nonce, key: gateway.serverKeys.current }
    this.config = { applied: hello.applied, highestVersion: hello.highestVersion }
    this.#takesDeltas = hello.deltas ?? false
    this.#gateway = gateway
    this.#frames = frames
    this.#onConfirmed = onConfirmed
    this.#passagesUpTo = hello.passagesUpTo
    this.#passages = new PassageQueue({ connection: this.#connection, frames })
    this.#blocklist = hello.blocked && new Blocklist(hello.blocked)
  }

  get settledVersion() {
    return this.#settledVersion
  }

  /** Announces the current key to a unit that trusts an earlier one; before anything that is signed with it. */
  async sendServerKey() {
    const { database, serverKeys: keys, now } = this.#gateway
    const at = new Date(now()).toISOString()
    const announcement = await announceServerKey(database, { unit: this.#unit, keys, at })
    if (announcement) this.#frames.send(announcement)
  }

  /** The unit trusts this key. */
  noteServerKey(serverKey: string) {
    const { database, serverKeys: keys } = this.#gateway
    return noteServerKey(database, { unit: this.#unit, serverKey, keys })
  }

  /**
   * Sends the desired configuration, if the unit has another, and returns without waiting for it to leave. While the unit
   * has not confirmed one, a newer one waits: it may replace several.
   */
  async sendConfig() {
    const { database, serverKeys, log } = this.#gateway
    const unit = this.#unit
    this.#isDue = this.#unconfirmed !== undefined && performance.now() < this.#unconfirmed.until
    if (this.#isDue) return
    const desired = await configFor(this.#gateway, { unit, ...this.config, takesDeltas: this.#takesDeltas })
    if (!desired || desired.version === this.#settledVersion) return
    this.#settledVersion = desired.version
    if (!desired.toSend) return noteApplied(database, unit, desired)
    const isDelta = desired.toSend.base !== null
    const unconfirmed = { version: desired.version, until: Infinity, isDelta }
    this.#unconfirmed = unconfirmed
    const frames = configFrames({ unit, config: desired.toSend, key: serverKeys.current })
    this.#frames
      .sendAll(frames)
      .catch((error: unknown) => log.warn({ err: error, unit }, 'sending a configuration failed'))
      .finally(() => {
        unconfirmed.until = performance.now() + confirmMs
      })
  }

  /** The unit reports the configuration that it applies. Returns whether a newer one waits, such as one that closes its doors. */
  reported(applied: UnitConfigState['applied']) {
    this.config = { applied, highestVersion: Math.max(this.config.highestVersion, applied?.version ?? 0) }
    if (applied) this.confirmed(applied.version)
    return this.#isDue
  }

  /** The unit has rejected this version. If that was a delta, the snapshot follows, and no more deltas. */
  async rejected(frame: Extract<UnitFrame, { type: 'configRejected' }>) {
    const { version, reason } = frame
    const [unit, { database, log }] = [this.#unit, this.#gateway]
    const isDelta = this.#unconfirmed?.version === version && this.#unconfirmed.isDelta
    if (isDelta) {
      log.warn({ unit, version, reason }, 'a unit rejected a delta; sending the whole configuration')
      this.#takesDeltas = false
      this.#settledVersion = undefined
      this.#isDue = true
    }
    this.confirmed(version)
    if (!isDelta) await noteRejected(database, unit, frame)
  }

  /** The unit has applied or rejected this version. */
  confirmed(version: number) {
    if (this.#unconfirmed === undefined || version < this.#unconfirmed.version) return
    this.#unconfirmed = undefined
    if (this.#isDue) this.#onConfirmed()
  }

  /** Sends the desired modes of all ports whose last one was not sent here. */
  async sendAllModes() {
    await this.sendModes(await modesOf(this.#gateway.database, this.#unit))
  }

  async sendModes(modes: readonly DesiredMode[]) {
    const { database, serverKeys, noteModes, feed } = this.#gateway
    const unit = this.#unit
    const due = modes.filter(({ door, version }) => this.#sentModes.get(door) !== version)
    for (const desired of due) {
      this.#frames.send(modeFrame({ desired, key: serverKeys.current }))
      this.#sentModes.set(desired.door, desired.version)
    }
    const doors = due.flatMap(({ door, isApplied }) => (isApplied ? [] : [door]))
    if (doors.length === 0) return
    if (!(await noteModes({ unit, sent: doors }))) await noteModesSent(database, { unit, doors })
    feed.hint()
  }

  /** The unit reports the mode of a door. */
  async noteMode(applied: AppliedFrame) {
    const { noteModes, feed } = this.#gateway
    if (!(await noteModes({ unit: this.#unit, applied }))) {
      // One after the other: each may wait for a locked door, with a connection to the database.
      this.#notedAlone = this.#notedAlone.catch(() => {}).then(() => this.#noteAlone(applied))
      await this.#notedAlone
    }
    feed.hint()
  }

  async #noteAlone(applied: AppliedFrame) {
    const mayRaise = () => this.#raises.trySpend(1)
    const noted = await noteModeApplied(this.#gateway.database, { unit: this.#unit, ...applied, mayRaise })
    if (noted === 'raised') await this.sendAllModes()
  }

  /** Sends the passages at other units that this unit has missed while it was not connected. */
  async sendMissedPassages() {
    const { database } = this.#gateway
    this.sendPassages(await missedPassages(database, { unit: this.#unit, upTo: this.#passagesUpTo }))
  }

  /** Users have passed doors of other units in areas of this one. */
  sendPassages(passages: readonly StoredPassage[]) {
    this.#passages.add(passages)
  }

  /** Users or credentials have changed: the unit denies those without access before it gets its configuration. */
  sendBlocklist(changed: ChangedCredentials) {
    for (const list of this.#blocklist?.take(changed) ?? []) this.#frames.send(blocklistFrame(this.#connection, list))
  }

  /** Blocks and unblocks the credentials whose change the unit may have missed, or the configuration that it gets next. */
  async sendMissedBlocklist() {
    await this.#sendBlocklistOf({ alsoEnded: true, version: this.config.applied?.version ?? null })
  }

  /** Unblocks the credentials that were changed by a change that did not name them. */
  async sendMissedUnblocks() {
    if (this.#blocklist?.blocked.length) await this.#sendBlocklistOf({ alsoEnded: false, version: null })
  }

  async #sendBlocklistOf({ alsoEnded, version }: { alsoEnded: boolean; version: number | null }) {
    const { database, policies, endedAccess, now, log } = this.#gateway
    const unit = this.#unit
    if (!this.#blocklist) return
    const { blocked } = this.#blocklist
    try {
      const place = await placeAndLag(database, { unit, version })
      const isBehind = alsoEnded && place?.isBehind === true
      if (!place || (!isBehind && blocked.length === 0)) return
      const policy = await policies.latestOfAccount(place.account)
      const ended = isBehind ? await endedAccess.of(policy) : []
      // The latest end last, also of those that are blocked.
      const latest = new Set(ended)
      const credentials = [...blocked.filter((id) => !latest.has(id)), ...ended]
      const changed = { users: [], credentials, now: now() }
      this.sendBlocklist(changedCredentials(policy.index, changed))
    } catch (error) {
      log.warn({ err: error, unit }, 'blocking credentials failed; will retry at the next connection')
    }
  }

  async sendCommands() {
    const { database, now } = this.#gateway
    const due = await takeCommands(database, this.#unit)
    const at = new Date(now()).toISOString()
    for (const command of due) this.#frames.send(commandFrame(this.#connection, { ...command, at }))
  }

  /** Asks for the heartbeat that a user requested, unless it was answered or the user no longer waits. */
  async requestHeartbeat() {
    const request = await this.#gateway.database.first(openRequest, openHeartbeatRequest(this.#unit))
    if (request) this.#frames.send({ type: 'heartbeatRequest', id: request.id })
  }

  /** Sends the outcomes of requests that users at a reader of the unit wait for. */
  async sendOutcomes() {
    const outcomes = await this.#gateway.database.asSystem((tx) => takeOutcomes(tx, this.#unit))
    for (const outcome of outcomes) this.#frames.send(outcomeFrame(this.#connection, outcome))
  }

  /** Answers at once if no operator can decide the request. */
  async requestApproval(frame: Extract<UnitFrame, { type: 'approvalRequest' }>) {
    const outcome = await raiseApproval(this.#gateway, { unit: this.#unit, frame })
    if (outcome === 'unavailable') this.#frames.send(outcomeFrame(this.#connection, { id: frame.id, outcome }))
    this.#gateway.feed.hint()
  }

  /** The unit reports doors that share an interlock with doors of other units, or asks whether it may release one. */
  async shareInterlock(frame: Extract<UnitFrame, { type: 'interlockRequest' | 'interlockState' }>) {
    const [{ unit, nonce }, { database, claimInterlock }] = [this.#connection, this.#gateway]
    if (frame.type === 'interlockState') return noteInterlockState(database, { unit, nonce, ...frame })
    const outcome = await claimInterlock({ root: this.#root, unit, nonce, ...frame })
    if (outcome) this.#frames.send(interlockFrame(this.#connection, { id: frame.id, outcome }))
  }

  /** Answers the hello that the unit sent at `requestedAt`, by its own clock. */
  welcome({ name, requestedAt }: { name: string; requestedAt: string }): ServerFrame {
    const { heartbeatSeconds } = limits
    return { type: 'welcome', unit: this.#unit, name, heartbeatSeconds, ...this.clock(requestedAt) }
  }

  /** The server's clock, in answer to a hello or heartbeat that the unit sent at `requestedAt`, by its own clock. */
  clock(requestedAt: string) {
    return signedClock(this.#connection, { requestedAt, at: new Date(this.#gateway.now()).toISOString() })
  }
}
