import { commandsInOutbox, expireCommands, unitsWithCommands } from '../commands/commands.ts'
import type { CommittedChange } from '../changes/committed-change.ts'
import { heartbeatsInOutbox, outcomesInOutbox, passagesInOutbox } from '../changes/unit-outcomes.ts'
import { unconfirmedModes } from '../desired/door-modes.ts'
import type { GatewayDependencies } from './gateway-dependencies.ts'
import { type HelloFrame, standingsOf } from './hello.ts'
import { arrive, leave, releaseLeases, renewLeases, sweepAbsent } from './presence.ts'
import { UnitRefused } from '../ingest/refusal.ts'
import { passagesForUnits } from './passages-for-units.ts'
import type { PolicyChange } from '../policy/policies.ts'
import { RatedWork } from '../limits/rated-work.ts'
import type { UnitConnection } from './unit-connection.ts'

/** Each change of its capacity can give a unit a whole configuration; further ones wait. */
const capacityChanges = { burst: 3, perSecond: 1 / 1_200 } as const

/** The units connected to this server: one connection each, kept alive, watched, and sent their changes. */
export class ConnectedUnits {
  readonly #gateway: GatewayDependencies
  readonly #holder: string
  readonly #connections = new Map<string, UnitConnection>()
  readonly #arrivals = new Map<string, Promise<void>>()
  readonly #departures = new Set<Promise<unknown>>()
  readonly #capacities = new RatedWork(capacityChanges)

  constructor({ gateway, holder }: { gateway: GatewayDependencies; holder: string }) {
    this.#gateway = gateway
    this.#holder = holder
  }

  /** Admits a unit; arrivals of the same unit are handled one after the other. */
  arrive(connection: UnitConnection, hello: HelloFrame) {
    const earlier = this.#arrivals.get(hello.unit) ?? Promise.resolve()
    const arrival = earlier.catch(() => {}).then(() => this.#admit(connection, hello))
    this.#arrivals.set(hello.unit, arrival)
    const forget = () => {
      if (this.#arrivals.get(hello.unit) === arrival) this.#arrivals.delete(hello.unit)
    }
    arrival.then(forget, forget)
    return arrival
  }

  gone(connection: UnitConnection) {
    const { unit, nonce } = connection
    if (unit === undefined || this.#connections.get(unit) !== connection) return
    this.#connections.delete(unit)
    const left = leave(this.#gateway.database, { unit, holder: this.#holder, connection: nonce })
    this.#track(left.then(() => this.#gateway.feed.hint()))
  }

  /** After a commit: changes for a unit that is connected here are sent now. */
  async received(changes: readonly CommittedChange[]) {
    // Modes first: a lockdown also holds for the commands after it.
    const doors = changes.flatMap(({ collection, item }) => (collection === 'doors' ? [item] : []))
    if (doors.length > 0) await this.#sendModes({ doors: [...new Set(doors)] })
    for (const { collection, item } of changes) {
      if (collection === commandsInOutbox) this.#connections.get(item)?.sendCommands()
      if (collection === heartbeatsInOutbox) this.#connections.get(item)?.deliver((unit) => unit.requestHeartbeat())
      if (collection === outcomesInOutbox) this.#connections.get(item)?.deliver((unit) => unit.sendOutcomes())
    }
    const units = changes.flatMap(({ collection, item }) =>
      collection === 'units' && this.#connections.has(item) ? [item] : [],
    )
    if (units.length > 0) await this.#pushChanged([...new Set(units)])
    // Last: a right that has ended does not wait for them.
    const passages = changes.flatMap(({ collection, item }) => (collection === passagesInOutbox ? [item] : []))
    if (passages.length > 0) await this.#sharePassages([...new Set(passages)])
  }

  /** Access may have ended: controllers deny it at once, because compiling many configurations takes longer. */
  block({ root, units, credentials }: PolicyChange) {
    if (units !== 'all' && credentials.ended.length + credentials.usable.length === 0) return
    for (const connection of this.#connections.values()) {
      if (connection.root !== root) continue
      // Also to units that the change does not affect: they may not have applied an earlier one yet.
      connection.deliver(async (deliveries) => deliveries.sendBlocklist(credentials))
      // A change that does not name its users and credentials.
      if (units === 'all') connection.deliver((deliveries) => deliveries.sendMissedUnblocks())
    }
  }

  /** The fallback for hints that were lost. */
  async look() {
    const { database } = this.#gateway
    const units = [...this.#connections.keys()]
    if (units.length > 0) {
      await this.#sendModes({ units })
      await this.#pushChanged(units)
      for (const unit of await unitsWithCommands(database, units)) this.#connections.get(unit)?.sendCommands()
    }
    await expireCommands(database)
  }

  /** Renews the leases of the units connected here and finds units that no server holds. */
  async renew() {
    const { database, feed } = this.#gateway
    for (const connection of this.#connections.values()) if (connection.isGone) connection.terminate()
    const held = [...this.#connections.entries()]
    const renewed = await renewLeases(database, { holder: this.#holder, units: held.map(([unit]) => unit) })
    for (const [unit, connection] of held) if (!renewed.has(unit)) connection.terminate()
    if ((await sweepAbsent(database)) > 0) feed.hint()
  }

  async close() {
    const connections = [...this.#connections.values()]
    this.#connections.clear()
    this.#capacities.stop()
    await Promise.all(connections.map((connection) => connection.end()))
    await Promise.allSettled(this.#departures)
    await releaseLeases(this.#gateway.database, this.#holder).catch(() => 0)
  }

  async #admit(connection: UnitConnection, { unit, nonce, firmware, applied, capacity, deltas = false }: HelloFrame) {
    const other = this.#connections.get(unit)
    if (other) {
      // A unit with the current key takes the place of one with an older key.
      if (other.publicKey !== connection.publicKey) other.refuse('key_replaced')
      else if (await other.isAnswering()) throw new UnitRefused('already_connected', { unit })
      this.#connections.delete(unit)
      other.terminate()
    }
    const { database, feed, log, compile, policies } = this.#gateway
    const outcome = await arrive(database, {
      unit,
      holder: this.#holder,
      connection: nonce,
      address: connection.address,
      firmware,
      capacity,
      takesDeltas: deltas,
      clockOffsetMs: connection.clockOffsetMs ?? 0,
      appliedVersion: applied?.version ?? null,
    })
    if (outcome === 'held') throw new UnitRefused('already_connected', { unit })
    this.#connections.set(unit, connection)
    const { account, compiles } = outcome
    // Without the policy, ended access would be sent with the configuration only.
    policies.ofAccount(account).catch((error: unknown) => log.warn({ err: error, unit }, 'loading the policy failed'))
    const compileUnit = () => {
      compile({ account, unit }).catch((error: unknown) => log.warn({ err: error, unit }, 'compiling the unit failed'))
    }
    if (compiles === 'now') compileUnit()
    if (compiles === 'seldom') this.#capacities.run(unit, compileUnit)
    feed.hint()
  }

  async #sendModes(among: { units: readonly string[] } | { doors: readonly string[] }) {
    if (this.#connections.size === 0) return
    for (const [unit, modes] of await unconfirmedModes(this.#gateway.database, among))
      this.#connections.get(unit)?.sendModes(modes)
  }

  async #sharePassages(passages: readonly string[]) {
    if (this.#connections.size === 0) return
    for (const [unit, shared] of await passagesForUnits(this.#gateway.database, passages))
      this.#connections.get(unit)?.deliver(async (deliveries) => deliveries.sendPassages(shared))
  }

  async #pushChanged(units: readonly string[]) {
    const standings = await standingsOf(this.#gateway.database, units)
    for (const unit of units) this.#connections.get(unit)?.follow(standings.get(unit))
  }

  #track(departure: Promise<unknown>) {
    const settled = departure.catch((error: unknown) => {
      // The lease expires by itself.
      this.#gateway.log.warn({ err: error }, 'recording a unit disconnect failed')
    })
    this.#departures.add(settled)
    void settled.then(() => this.#departures.delete(settled))
  }
}
