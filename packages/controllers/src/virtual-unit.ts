import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import { checkAddress, type EncryptionPolicy } from './check-address.ts'
import { unitFaults } from './control-protocol.ts'
import { DurableLog, type LogGap } from './durable-log.ts'
import { EventSender } from './event-sender.ts'
import { RecentDecisions } from './recent-decisions.ts'
import { type DoorLeaf, type DoorPace, humanPace } from './simulated-door.ts'
import { type Faults, type LinkOptions, noFaults } from './unit-link.ts'
import type { DoorSwitch } from './unit-doors.ts'
import type { Presented } from './unit-access.ts'
import { UnitMemoryFile } from './unit-memory.ts'
import { UnitRuntime } from './unit-runtime.ts'
import { UnitStore } from './unit-store.ts'
import { writeDurably } from './write-durably.ts'

/** The progress of a record, for a later comparison. */
export type JournalEntry = { serial: string; what: 'durable' | 'acknowledged'; logId: string; seq: number }

export type VirtualUnitOptions = EncryptionPolicy & {
  /** The unit's own disk. */
  dir: string
  serial: string
  model?: string
  /** Address of the gateway: `ws://host:port/units`. */
  url: string
  agent?: LinkOptions['agent']
  random?: LinkOptions['random']
  pace?: DoorPace
  /** How long the first of two persons waits for the second, in milliseconds. */
  secondPersonMs?: number
  /** From the start, such as less room; its disk keeps the later ones. */
  faults?: Partial<Faults>
  journal?: (entry: JournalEntry) => void
  report?: (sentence: string) => void
}

export type EnrolOptions = { withinMs?: number | undefined }

type Power = { runtime: UnitRuntime; log: DurableLog; memory: UnitMemoryFile }

/** A controller without hardware: the example for manufacturers, also for the demonstration and for tests. */
export class VirtualUnit {
  readonly serial: string
  readonly recent = new RecentDecisions()
  readonly #options: VirtualUnitOptions
  /** The leaves of its doors, which move without its power. */
  readonly #leaves = new Map<number, DoorLeaf>()
  #faults: Faults
  #power: Power | undefined
  #switching: Promise<unknown> = Promise.resolve()
  #isRemoved = false

  /** @throws {UnencryptedAddress} for an address beyond this machine without TLS, unless `allowUnencrypted` is set. */
  constructor(options: VirtualUnitOptions) {
    checkAddress(options.url, { ...options, toAllow: 'allowUnencrypted: true' })
    this.serial = options.serial
    this.#faults = { ...noFaults, ...options.faults }
    this.#options = options
  }

  /** Switches the power on: the unit reads its state from disk. */
  start() {
    return this.#switch(async () => {
      if (!this.#power) await this.#boot()
    })
  }

  /** Shuts down cleanly: all records are on disk. */
  stop() {
    return this.#switch(() => this.#shutDown())
  }

  /** Shuts down for good once `clear` has emptied its disk. If that fails, the unit can be switched on again. */
  remove(clear: () => Promise<void>) {
    return this.#switch(async () => {
      await this.#shutDown()
      await clear()
      this.#isRemoved = true
    })
  }

  /** Simulates a power cut and restart: data that was only in memory is lost. */
  powerCut() {
    return this.#switch(async () => {
      await this.#cutPower()
      await this.#boot()
    })
  }

  /** Loses the log with all records that the server has not acknowledged, and starts again with a new log. */
  loseLog() {
    return this.#switch(async () => {
      this.#throwIfRemoved()
      await this.#cutPower()
      await rm(join(this.#options.dir, logFolder), { recursive: true, force: true })
      await this.#boot()
    })
  }

  /**
   * Introduces the unit with its one-time code; rejects with the server's reason and, with `withinMs`, when the server has
   * not answered by then.
   */
  async enrol(code: string, { withinMs }: EnrolOptions = {}) {
    const runtime = this.#running()
    const enrolled = runtime.enrol(code)
    if (withinMs === undefined) return enrolled
    const deadline = setTimeout(() => {
      const why = runtime.state().offlineReason ?? ''
      runtime.giveUpEnrolment(`No answer within ${withinMs / 1_000} s. ${why}`.trimEnd())
    }, withinMs)
    return enrolled.finally(() => clearTimeout(deadline))
  }

  present(presented: Presented) {
    return this.recent.follow(presented, this.#running().present(presented))
  }

  operateDoor(operation: { door: number; what: DoorSwitch }) {
    this.#running().doors.operate(operation)
  }

  /** Breaks or repairs something; a broken part stays so when the power returns. */
  setFaults(faults: Partial<Faults>) {
    return this.#switch(async () => {
      this.#throwIfRemoved()
      this.#faults = { ...this.#faults, ...faults }
      this.#power?.runtime.faultsChanged()
      await writeDurably(join(this.#options.dir, faultsFile), JSON.stringify(this.#faults))
    })
  }

  state() {
    return { serial: this.serial, faults: this.#faults, running: this.#power?.runtime.state() ?? null }
  }

  async #shutDown() {
    const power = this.#power
    this.#power = undefined
    await power?.runtime.stop()
    await power?.memory.close()
    await power?.log.close()
  }

  async #cutPower() {
    const power = this.#power
    this.#power = undefined
    await Promise.all([power?.runtime.stop(), power?.memory.abandon(), power?.log.abandon()])
  }

  async #boot() {
    this.#throwIfRemoved()
    const { dir, serial, model, url, agent, journal } = this.#options
    const { pace = humanPace, report = () => {} } = this.#options
    const beforeWrite = () => this.#throwIfDiskFails()
    const store = await UnitStore.open({ dir, beforeWrite, serial, model })
    this.#faults = { ...this.#faults, ...(await faultsIn(dir)) }
    const log = await DurableLog.open({
      dir: join(dir, logFolder),
      maxBytes: () => this.#faults.maxEvents * maxRecordBytes,
      beforeWrite,
      gapBody: (gap) => this.#gapRecord(gap, store.applied?.version ?? null),
      onDurable: (logId, { seq }) => journal?.({ serial, what: 'durable', logId, seq }),
    })
    const acknowledged = (logId: string, upTo: number) => journal?.({ serial, what: 'acknowledged', logId, seq: upTo })
    const faults = () => this.#faults
    const sender = new EventSender({ log, acknowledged, faults })
    const capacity = () => ({
      doors: this.#faults.maxDoors,
      credentials: this.#faults.maxCredentials,
      schedules: this.#faults.maxSchedules,
      events: this.#faults.maxEvents,
    })
    const memory = await UnitMemoryFile.open({ dir, report, beforeWrite, at: Date.now() + this.#faults.clockOffsetMs })
    const { random, secondPersonMs } = this.#options
    const parts = { store, sender, memory, link: { url, agent, random } }
    const leaves = this.#leaves
    const runtime = new UnitRuntime({ ...parts, pace, leaves, report, capacity, faults, secondPersonMs })
    this.#power = { runtime, log, memory }
    runtime.start()
  }

  #gapRecord({ why, records }: LogGap, configVersion: number | null): UnitRecord {
    const count = records === undefined ? 'an unknown number of records' : `${records} records`
    const detail = { full: 'the log was full', unwritable: 'the disk refused them', unreadable: 'the log was damaged' }[
      why
    ]
    const at = new Date(Date.now() + this.#faults.clockOffsetMs).toISOString()
    return { type: 'unit', at, configVersion, what: 'log_gap', detail: `Lost ${count}: ${detail}.` }
  }

  #running() {
    if (!this.#power) throw new UnitIsOff(this.serial)
    return this.#power.runtime
  }

  /** Its folder may be that of another unit with the same serial number. */
  #throwIfRemoved() {
    if (this.#isRemoved) throw new UnitIsRemoved(this.serial)
  }

  #throwIfDiskFails() {
    if (this.#faults.diskFails) throw new Error('The disk refuses to write.')
  }

  #switch(work: () => Promise<void>) {
    const done = this.#switching.then(work)
    this.#switching = done.catch(() => {})
    return done
  }
}

/** This many bytes of the log are enough for any record of a door or a card: as many events as are certain to fit. */
const maxRecordBytes = 512
const faultsFile = 'faults.json'
const logFolder = 'log'

async function faultsIn(dir: string) {
  const text = await readFile(join(dir, faultsFile), 'utf8').catch(() => '{}')
  try {
    return unitFaults.partial().parse(JSON.parse(text))
  } catch {
    return {}
  }
}

export class UnitIsOff extends Error {
  override name = 'UnitIsOff'

  constructor(serial: string) {
    super(`Unit ${serial} is switched off.`)
  }
}

class UnitIsRemoved extends Error {
  override name = 'UnitIsRemoved'

  constructor(serial: string) {
    super(`Unit ${serial} was removed.`)
  }
}
