import { setTimeout as delay } from 'node:timers/promises'
import { giveUnlock } from '@portcullis/server/commands/commands'
import type { Database } from '@portcullis/server/database/database'
import { issueEnrolmentCode } from '@portcullis/server/units/enrol'
import { scenesBetween, timeAt } from './day-scenes.ts'
import type { Administrator } from './administrator.ts'
import type { Estate } from './estate.ts'
import { at } from './item-at.ts'
import { brokenInvariants, confirmedVersions, policyVersion, syncFaults } from './invariants.ts'
import type { ObservedRecords } from './observed-records.ts'
import type { Planned, UnitFault } from './plan-day.ts'
import { changed, type RightsChange } from './rights-changes.ts'
import type { RightsHistory } from './rights-history.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { SimulatedServer } from './simulated-server.ts'
import type { SimulatedUnit } from './simulated-unit.ts'

/** Heartbeats find a dead connection within 70 s, and attempts to connect are at most 10 s apart. */
const syncBoundMs = 120_000
const syncCheckMs = 2_000
/** After each scene; longer than any fault and any command lasts. */
const restMs = 15_000

type DayParts = {
  clock: SimulatedClock
  database: Database
  estate: Estate
  administrator: Administrator
  rights: RightsHistory
  servers: readonly SimulatedServer[]
  units: readonly SimulatedUnit[]
  observed: ObservedRecords
  report: (line: string) => void
}

type PlannedOf<Kind extends Planned['kind']> = Extract<Planned, { kind: Kind }>

/** An installation in simulated time, in which a plan is carried out while the invariants are checked. */
export class SimulatedDay {
  readonly faults: string[] = []
  readonly counts = { presented: 0, granted: 0, ended: 0, changes: 0, commands: 0, ran: 0, records: 0 }
  readonly #parts: DayParts
  /** The administrator makes one change after the other. */
  #changing: Promise<void> = Promise.resolve()
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
      for (const { from, startsAt } of scenesBetween(busy, planned.at)) await this.#endScene(from - 1, startsAt)
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

  async #endScene(until: number, nextStartsAt: number) {
    const { clock, units } = this.#parts
    // Messages that are on their way arrive, and records are written: otherwise both would be hours late.
    await clock.runUntil(Math.max(clock.now, timeAt(until)) + restMs)
    await clock.runUntilDone(this.#changing, 10_000)
    while (units.some(({ disk }) => disk.isSyncing)) await clock.runUntil(clock.now + 1)
    await clock.skipTo(nextStartsAt)
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
      if ((await this.#syncFaults()).length > 0) continue
      const syncedAfterMs = clock.now - since
      await this.#checkDecisions()
      return syncedAfterMs
    }
    for (const fault of await this.#syncFaults()) this.#fault(`not in sync after ${syncBoundMs} ms: ${fault}`)
    return undefined
  }

  async #check() {
    const { observed } = this.#parts
    for (const fault of await brokenInvariants(this.#parts)) this.#fault(fault)
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
      case 'rights':
        return this.#inTurn(() => this.#change(planned.change))
      case 'setMode':
        return this.#inTurn(() => this.#setMode(planned))
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
      case 'shuffleRecords':
        await unit.shuffleRecords(true)
        await delay(planned.forMs)
        return unit.shuffleRecords(false)
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

  async #present({ unit: index, door, card, direction }: PlannedOf<'present'>) {
    const { database, estate, clock, rights, units } = this.#parts
    const unit = at(units, index)
    const id = at(at(estate.units, index).doors, door - 1).id
    const confirmed = await confirmedVersions(database, id)
    const unitTime = clock.now + unit.clockOffsetMs
    const mayOpen = rights.mayOpen({ card, unit: index, door: id, at: unitTime }, confirmed)
    const { number } = at(estate.cards, card)
    const presented = unit.present({ door, number, direction })
    if (!presented) return
    const { verdict } = await presented
    this.counts.presented++
    if (!mayOpen) this.counts.ended++
    if (verdict === 'grant') this.counts.granted++
    if (!mayOpen && verdict === 'grant')
      this.#fault(
        `${unit.unit.serial} has granted card ${number} at door ${door}, without a right since ${JSON.stringify(confirmed)}`,
      )
  }

  /** In sync, the units decide by the latest rights. */
  async #checkDecisions() {
    const { estate, clock, rights, units } = this.#parts
    for (const [index, unit] of units.entries())
      for (const [card, { number }] of estate.cards.entries()) {
        const { id, number: door } = at(at(estate.units, index).doors, card % 2)
        const latest = { policy: Infinity, mode: Infinity }
        const mayOpen = rights.mayOpen({ card, unit: index, door: id, at: clock.now }, latest)
        const presented = unit.present({ door, number, direction: 'entry' })
        const decision = presented && (await clock.runUntilDone(presented, 5_000))
        if ((decision?.verdict === 'grant') === mayOpen) continue
        const decided = `${decision?.verdict} (${decision?.reason ?? 'no reason'})`
        this.#fault(
          `in sync, ${unit.unit.serial} decides ${decided} on card ${number} at door ${door}, against the rights`,
        )
      }
  }

  #inTurn(work: () => Promise<void>) {
    const done = this.#changing.then(work)
    this.#changing = done.catch(() => {})
    return done
  }

  async #change(change: RightsChange) {
    const { rights, administrator, database } = this.#parts
    const after = changed(rights.current, change)
    if (!after) return
    const added = rights.add(after)
    await administrator.change(change, after)
    added.version = await policyVersion(database)
    this.counts.changes++
  }

  async #setMode({ unit, door, mode }: PlannedOf<'setMode'>) {
    const { rights, administrator, estate } = this.#parts
    const { id } = at(at(estate.units, unit).doors, door - 1)
    const added = rights.addMode(id, mode)
    added.version = await administrator.setMode(id, mode)
    this.counts.changes++
  }

  async #unlock({ unit, door, timeToLiveSeconds }: PlannedOf<'unlock'>) {
    const { database, estate, clock } = this.#parts
    const { id, doors } = at(estate.units, unit)
    const expiresAt = new Date(clock.now + timeToLiveSeconds * 1_000).toISOString()
    const place = { account: estate.account, unit: id, door: at(doors, door - 1).id, unitDoor: door }
    await database.asSystem((tx) => giveUnlock(tx, { ...place, requestedBy: estate.administrator, expiresAt }))
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

function time(now: number) {
  return new Date(now).toISOString().slice(11, 23)
}
