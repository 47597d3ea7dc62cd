import { setTimeout as delay } from 'node:timers/promises'
import { giveUnlock } from '@portcullis/server/commands/commands'
import type { Database } from '@portcullis/server/database/database'
import { issueEnrolmentCode } from '@portcullis/server/units/enrol'
import { scenesBetween, timeAt } from './day-scenes.ts'
import { type Card, type Estate, setCardStatus } from './estate.ts'
import { commandFaults, confirmedPolicy, storedFaults, syncFaults } from './invariants.ts'
import type { ObservedRecords } from './observed-records.ts'
import type { Planned, UnitFault } from './plan-day.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { SimulatedServer } from './simulated-server.ts'
import type { SimulatedUnit } from './simulated-unit.ts'

/** Heartbeats find a dead connection within 70 s, and attempts to connect are at most 10 s apart. */
const syncBoundMs = 120_000
const syncCheckMs = 2_000

type DayParts = {
  clock: SimulatedClock
  database: Database
  estate: Estate
  servers: readonly SimulatedServer[]
  units: readonly SimulatedUnit[]
  observed: ObservedRecords
  report: (line: string) => void
}

type PlannedOf<Kind extends Planned['kind']> = Extract<Planned, { kind: Kind }>

/** An installation in simulated time, in which a plan is carried out while the invariants are checked. */
export class SimulatedDay {
  readonly faults: string[] = []
  readonly counts = { presented: 0, granted: 0, ended: 0, commands: 0, ran: 0, records: 0 }
  readonly #parts: DayParts
  /** By card: the version of the policy that suspended it. */
  readonly #suspended = new Map<Card, number>()
  readonly #going: Promise<void>[] = []

  constructor(parts: DayParts) {
    this.#parts = parts
  }

  /** Starts the servers, and enrols all units. */
  async open() {
    const { clock, servers, units, estate, database } = this.#parts
    const opened = async () => {
      for (const server of servers) await server.start()
      for (const [index, { unit }] of units.entries()) {
        const { id } = at(estate.units, index)
        const { code } = await database.asSystem((tx) => issueEnrolmentCode(tx, id))
        await unit.start()
        await unit.enrol(code)
      }
    }
    await clock.runUntilDone(opened(), 60_000)
    await clock.runUntil(clock.now + 3_000)
    const faults = await this.#syncFaults()
    if (faults.length > 0) throw new Error(`The day could not begin: ${faults.join(', ')}`)
  }

  async run(plan: readonly Planned[]) {
    const { clock } = this.#parts
    let busy = 0
    for (const planned of plan) {
      if (this.faults.length > 0) return
      for (const { from, startsAt } of scenesBetween(busy, planned.at)) {
        await clock.runUntil(timeAt(from - 1))
        await clock.skipTo(startsAt)
      }
      busy = planned.at
      await clock.runUntil(timeAt(busy))
      this.#parts.report(`${time(clock.now)} ${JSON.stringify(planned)}`)
      const work = this.#perform(planned).catch((error: unknown) => {
        this.#fault(`${planned.kind} has failed: ${String(error)}`)
      })
      this.#going.push(work)
      await this.#check()
    }
  }

  /** Waits for the end of all faults, and then until everything is in sync. Returns how long that took. */
  async settle() {
    const { clock } = this.#parts
    if (this.faults.length > 0) return undefined
    await clock.runUntilDone(Promise.all(this.#going), 120_000)
    this.#parts.report(`${time(clock.now)} all faults have ended`)
    const since = clock.now
    while (clock.now - since < syncBoundMs) {
      await clock.runUntil(clock.now + syncCheckMs)
      await this.#check()
      if ((await this.#syncFaults()).length === 0) return clock.now - since
    }
    for (const fault of await this.#syncFaults()) this.#fault(`not in sync after ${syncBoundMs} ms: ${fault}`)
    return undefined
  }

  async #check() {
    const { database, observed } = this.#parts
    const found = [...(await storedFaults(database, observed)), ...(await commandFaults(database, observed))]
    for (const fault of found) this.#fault(fault)
    this.counts.records = observed.durable.size
    this.counts.ran = observed.ran.size
  }

  #syncFaults() {
    const { database, observed, units } = this.#parts
    const states = units.map(({ unit }) => {
      const { serial, running } = unit.state()
      return { serial, pendingEvents: running?.pendingEvents, appliedVersion: running?.appliedVersion }
    })
    return syncFaults(database, { observed, units: states })
  }

  #fault(fault: string) {
    this.#parts.report(`${time(this.#parts.clock.now)} BROKEN ${fault}`)
    this.faults.push(fault)
  }

  async #perform(planned: Planned): Promise<void> {
    switch (planned.kind) {
      case 'present':
        return this.#present(planned)
      case 'forceDoor':
        return this.#unit(planned).forceDoor(planned.door)
      case 'suspendCard':
      case 'restoreCard':
        return this.#setCard(planned)
      case 'unlock':
        return this.#unlock(planned)
      case 'crashServer':
        return this.#crashServer(planned)
      case 'cutServerFromDatabase':
        return this.#cutServer(planned)
      default:
        return this.#breakUnit(planned)
    }
  }

  async #breakUnit(planned: UnitFault) {
    const unit = this.#unit(planned)
    const { cable, disk } = unit
    switch (planned.kind) {
      case 'crashUnit':
        return unit.crash(planned)
      case 'cutCable':
        cable.cut()
        await delay(planned.forMs)
        return cable.mend()
      case 'breakConnections':
        return cable.breakConnections()
      case 'slowCable':
        cable.maxDelayMs = planned.maxDelayMs
        await delay(planned.forMs)
        cable.maxDelayMs = usualDelayMs
        return
      case 'sendTwice':
        await unit.sendTwice(true)
        await delay(planned.forMs)
        return unit.sendTwice(false)
      case 'setClock':
        await unit.setClock(planned.offsetMs)
        await delay(planned.forMs)
        return unit.setClock(0)
      case 'fillDisk':
        disk.isFull = true
        await delay(planned.forMs)
        disk.isFull = false
    }
  }

  async #present(planned: PlannedOf<'present'>) {
    const { database, estate, clock } = this.#parts
    const unit = this.#unit(planned)
    const card = at(estate.cards, planned.card)
    const confirmed = await confirmedPolicy(database, at(estate.units, planned.unit).id)
    const suspendedBy = this.#suspended.get(card)
    const unitTime = clock.now + unit.clockOffsetMs
    const ended =
      (suspendedBy !== undefined && confirmed >= suspendedBy && `suspended by version ${suspendedBy}`) ||
      (card.validUntil !== undefined && unitTime > card.validUntil && 'expired')
    const { door, direction } = planned
    const presented = unit.present({ door, direction, number: card.number })
    if (!presented) return
    const { verdict } = await presented
    this.counts.presented++
    if (ended) this.counts.ended++
    if (verdict === 'grant') this.counts.granted++
    if (ended && verdict === 'grant')
      this.#fault(`${unit.unit.serial} has confirmed version ${confirmed} and granted card ${card.number}, ${ended}`)
  }

  async #setCard({ kind, card: index }: PlannedOf<'suspendCard' | 'restoreCard'>) {
    const { database, estate } = this.#parts
    const card = at(estate.cards, index)
    if (kind === 'restoreCard') {
      this.#suspended.delete(card)
      await setCardStatus(database, estate, { card, status: 'active' })
    } else if (!this.#suspended.has(card)) {
      this.#suspended.set(card, await setCardStatus(database, estate, { card, status: 'suspended' }))
    }
  }

  async #unlock({ unit, door, timeToLiveSeconds }: PlannedOf<'unlock'>) {
    const { database, estate, clock } = this.#parts
    const { id, doors } = at(estate.units, unit)
    const expiresAt = new Date(clock.now + timeToLiveSeconds * 1_000).toISOString()
    const place = { account: estate.account, unit: id, door: at(doors, door - 1).id, unitDoor: door }
    await database.asSystem((tx) => giveUnlock(tx, { ...place, requestedBy: estate.staff, expiresAt }))
    this.counts.commands++
  }

  /** At the n-th batch of statements from now, or after 2 s without. */
  async #crashServer({ server: index, afterBatches, isSent, isMachineGone, offMs }: PlannedOf<'crashServer'>) {
    const server = at(this.#parts.servers, index)
    const { gate } = server
    if (!gate) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const crash = () => {
      server.crash({ isMachineGone })
      resolve()
    }
    gate.crashPoint = { after: afterBatches, isSent, crash }
    const timer = setTimeout(crash, 2_000)
    await promise
    clearTimeout(timer)
    await delay(offMs)
    await server.start()
  }

  async #cutServer({ server: index, forMs }: PlannedOf<'cutServerFromDatabase'>) {
    const gate = at(this.#parts.servers, index).gate
    gate?.cut()
    await delay(forMs)
    gate?.restore()
  }

  #unit({ unit }: { unit: number }) {
    return at(this.#parts.units, unit)
  }
}

const usualDelayMs = 15

function at<T>(values: readonly T[], index: number): T {
  const value = values[index]
  if (value === undefined) throw new Error(`There is no item ${index}.`)
  return value
}

function time(now: number) {
  return new Date(now).toISOString().slice(11, 23)
}
