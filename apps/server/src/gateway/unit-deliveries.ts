import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { takeOutcomes } from './approvals.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { takeCommands } from '../commands/commands.ts'
import { configFor, configFrames, noteApplied, type UnitConfigState } from '../desired/config-push.ts'
import { modeFrame, modesOf, noteModesSent } from '../desired/door-modes.ts'

type Options = { unit: string; config: UnitConfigState; parts: GatewayParts; send: (frame: ServerFrame) => void }

/** What one connected unit is sent: its configuration, the modes of its doors, commands and outcomes of requests. */
export class UnitDeliveries {
  /** The applied configuration, as last reported. */
  config: UnitConfigState
  readonly #unit: string
  readonly #parts: GatewayParts
  readonly #send: Options['send']
  /** The version that was last sent, or found applied. */
  #settledVersion: number | undefined
  /** The version of each door's mode that was last sent here. */
  readonly #sentModes = new Map<number, number>()

  constructor({ unit, config, parts, send }: Options) {
    this.#unit = unit
    this.config = { applied: config.applied, highestVersion: config.highestVersion }
    this.#parts = parts
    this.#send = send
  }

  get settledVersion() {
    return this.#settledVersion
  }

  /** Sends the desired configuration, if the unit has another. */
  async sendConfig() {
    const { database, signingKey } = this.#parts
    const unit = this.#unit
    const desired = await configFor(database, { unit, ...this.config })
    if (!desired || desired.version === this.#settledVersion) return
    this.#settledVersion = desired.version
    if (!desired.toSend) return noteApplied(database, unit, desired)
    for (const frame of configFrames({ unit, config: desired.toSend, key: signingKey })) this.#send(frame)
  }

  /** Sends the desired modes of the unit's doors: all of them on connect, later those that it has not confirmed. */
  async sendModes({ all }: { all: 'yes' | 'no' }) {
    const { database, signingKey, feed } = this.#parts
    const unit = this.#unit
    const open = await modesOf(database, unit)
    const due = open.filter(
      ({ door, version, isApplied }) => all === 'yes' || (!isApplied && this.#sentModes.get(door) !== version),
    )
    for (const desired of due) {
      this.#send(modeFrame({ unit, desired, key: signingKey }))
      this.#sentModes.set(desired.door, desired.version)
    }
    const doors = due.flatMap(({ door, isApplied }) => (isApplied ? [] : [door]))
    if (doors.length > 0) await noteModesSent(database, { unit, doors })
    feed.hint()
  }

  async sendCommands() {
    for (const command of await takeCommands(this.#parts.database, this.#unit)) this.#send(command)
  }

  /** Sends the outcomes of requests that users at a reader of the unit wait for. */
  async sendOutcomes() {
    const outcomes = await this.#parts.database.asSystem((tx) => takeOutcomes(tx, this.#unit))
    for (const outcome of outcomes) this.#send(outcome)
  }
}
