import { setTimeout as delay } from 'node:timers/promises'
import { UnitIsOff, VirtualUnit, type VirtualUnitOptions } from '@portcullis/controllers/virtual-unit'
import type { SimulatedDisk } from './simulated-disk.ts'
import type { Cable } from './simulated-network.ts'

type UnitOptions = { disk: SimulatedDisk; cable: Cable; unit: Pick<VirtualUnitOptions, 'dir' | 'serial' | 'journal'> }

/** A real virtual unit with its own disk and cable. It can crash at any use of its disk. */
export class SimulatedUnit {
  readonly disk: SimulatedDisk
  readonly cable: Cable
  readonly unit: VirtualUnit
  clockOffsetMs = 0
  #crashing: Promise<void> | undefined

  constructor({ disk, cable, unit }: UnitOptions) {
    this.disk = disk
    this.cable = cable
    this.unit = new VirtualUnit({
      ...unit,
      url: 'ws://127.0.0.1/units',
      agent: cable.agent,
      pace: { openAfterMs: 700, closeAfterMs: 1_500 },
    })
  }

  /** Undefined while it is off. */
  present(presented: { door: number; number: string; direction: 'entry' | 'exit' }) {
    try {
      return this.unit.present({ ...presented, kind: 'card' })
    } catch (error) {
      if (error instanceof UnitIsOff) return undefined
      throw error
    }
  }

  forceDoor(door: number) {
    if (this.unit.state().running) this.unit.operateDoor({ door, what: 'forced' })
  }

  async setClock(clockOffsetMs: number) {
    this.clockOffsetMs = clockOffsetMs
    await this.#setFaults({ clockOffsetMs })
  }

  sendTwice(duplicate: boolean) {
    return this.#setFaults({ duplicate })
  }

  shuffleRecords(reordered: boolean) {
    return this.#setFaults({ reordered })
  }

  /** Crashes at the n-th use of the disk from now, or after 2 s without, and starts again after `offMs`. */
  async crash({ afterDiskUses, offMs }: { afterDiskUses: number; offMs: number }) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.disk.crashAfter(afterDiskUses, resolve)
    const timer = setTimeout(resolve, 2_000)
    await promise
    clearTimeout(timer)
    // While the unit is off because of another crash, it does not use its disk: this one must not come after its start.
    this.disk.forgetCrash()
    await (this.#crashing ??= this.#crashNow(offMs).finally(() => {
      this.#crashing = undefined
    }))
  }

  async #crashNow(offMs: number): Promise<void> {
    this.disk.powerOff()
    this.cable.unitVanished()
    // Without its disk and its network, a shutdown is a crash.
    await this.unit.stop().catch(() => {})
    await delay(offMs)
    await this.disk.powerOn()
    try {
      await this.unit.start()
    } catch (error) {
      if (this.disk.isPowered) throw error
      // It has crashed again while it started.
      return this.#crashNow(offMs)
    }
    // The file with the faults may not have survived.
    await this.unit.setFaults({ clockOffsetMs: this.clockOffsetMs }).catch(() => {})
  }

  async #setFaults(faults: Parameters<VirtualUnit['setFaults']>[0]) {
    // They apply at once; only the file may fail.
    await this.unit.setFaults(faults).catch(() => {})
  }
}
