import { limits, type ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { takeOutcomes } from './approvals.ts'
import type { GatewayDependencies } from './gateway-dependencies.ts'
import { takeCommands } from '../commands/commands.ts'
import { configFor, configFrames, noteApplied, type UnitConfigState } from '../desired/config-push.ts'
import { modeFrame, modesOf, noteModesSent } from '../desired/door-modes.ts'
import { announceServerKey, noteServerKey } from './server-keys.ts'
import { commandFrame, outcomeFrame, signedClock, type SignedConnection } from './signed-frames.ts'

type Options = {
  unit: string
  hello: UnitConfigState & { nonce: string }
  gateway: GatewayDependencies
  send: (frame: ServerFrame) => void
}

/** Sends one connected unit its configuration, the modes of its doors, commands and outcomes of requests. */
export class UnitDeliveries {
  /** The applied configuration, as last reported. */
  config: UnitConfigState
  readonly #unit: string
  readonly #gateway: GatewayDependencies
  readonly #send: Options['send']
  readonly #connection: SignedConnection
  /** The version that was last sent, or found applied. */
  #settledVersion: number | undefined
  /** The version of each door's mode that was last sent here. */
  readonly #sentModes = new Map<number, number>()

  constructor({ unit, hello, gateway, send }: Options) {
    this.#unit = unit
    this.#connection = { unit, nonce: hello.nonce, key: gateway.serverKeys.current }
    this.config = { applied: hello.applied, highestVersion: hello.highestVersion }
    this.#gateway = gateway
    this.#send = send
  }

  get settledVersion() {
    return this.#settledVersion
  }

  /** Announces the current key to a unit that trusts an earlier one; before anything that is signed with it. */
  async sendServerKey() {
    const { database, serverKeys: keys, now } = this.#gateway
    const at = new Date(now()).toISOString()
    const announcement = await announceServerKey(database, { unit: this.#unit, keys, at })
    if (announcement) this.#send(announcement)
  }

  /** The unit trusts this key. */
  noteServerKey(serverKey: string) {
    const { database, serverKeys: keys } = this.#gateway
    return noteServerKey(database, { unit: this.#unit, serverKey, keys })
  }

  /** Sends the desired configuration, if the unit has another. */
  async sendConfig() {
    const { database, serverKeys } = this.#gateway
    const unit = this.#unit
    const desired = await configFor(database, { unit, ...this.config })
    if (!desired || desired.version === this.#settledVersion) return
    this.#settledVersion = desired.version
    if (!desired.toSend) return noteApplied(database, unit, desired)
    for (const frame of configFrames({ unit, config: desired.toSend, key: serverKeys.current })) this.#send(frame)
  }

  /** Sends the desired modes of the unit's doors: all of them on connect, later those that it has not confirmed. */
  async sendModes({ all }: { all: 'yes' | 'no' }) {
    const { database, serverKeys, feed } = this.#gateway
    const unit = this.#unit
    const open = await modesOf(database, unit)
    const due = open.filter(
      ({ door, version, isApplied }) => all === 'yes' || (!isApplied && this.#sentModes.get(door) !== version),
    )
    for (const desired of due) {
      this.#send(modeFrame({ unit, desired, key: serverKeys.current }))
      this.#sentModes.set(desired.door, desired.version)
    }
    const doors = due.flatMap(({ door, isApplied }) => (isApplied ? [] : [door]))
    if (doors.length > 0) await noteModesSent(database, { unit, doors })
    feed.hint()
  }

  async sendCommands() {
    const { database, now } = this.#gateway
    const due = await takeCommands(database, this.#unit)
    const at = new Date(now()).toISOString()
    for (const command of due) this.#send(commandFrame(this.#connection, { ...command, at }))
  }

  /** Sends the outcomes of requests that users at a reader of the unit wait for. */
  async sendOutcomes() {
    const outcomes = await this.#gateway.database.asSystem((tx) => takeOutcomes(tx, this.#unit))
    for (const outcome of outcomes) this.#send(outcomeFrame(this.#connection, outcome))
  }

  /** No operator is available for this request. */
  sendUnavailable(request: string) {
    this.#send(outcomeFrame(this.#connection, { id: request, outcome: 'unavailable' }))
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
