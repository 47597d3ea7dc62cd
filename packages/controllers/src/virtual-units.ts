import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UnitStore } from './unit-store.ts'
import { type EnrolOptions, VirtualUnit, type VirtualUnitOptions } from './virtual-unit.ts'

export type VirtualUnitsOptions = Pick<VirtualUnitOptions, 'url' | 'allowUnencrypted' | 'pace' | 'journal'> & {
  /** The folder that contains one folder per unit. */
  dir: string
  report?: (serial: string, sentence: string) => void
}

/** Many virtual units in one process, found again on the disk after a restart. */
export class VirtualUnits {
  readonly #options: VirtualUnitsOptions
  readonly #units = new Map<string, VirtualUnit>()
  /** The removals that are not finished, by serial number. */
  readonly #removals = new Map<string, Promise<void>>()

  private constructor(options: VirtualUnitsOptions) {
    this.#options = options
  }

  /** Switches on every unit that the folder knows. */
  static async open(options: VirtualUnitsOptions) {
    const units = new VirtualUnits(options)
    await mkdir(options.dir, { recursive: true, mode: 0o700 })
    const entries = await readdir(options.dir, { withFileTypes: true })
    const serials = entries.filter((entry) => entry.isDirectory()).map(({ name }) => decodeURIComponent(name))
    await Promise.all(serials.map((serial) => units.#install({ serial }).start()))
    return units
  }

  list() {
    return [...this.#units.values()]
  }

  find(serial: string) {
    return this.#units.get(serial)
  }

  /**
   * Installs a unit and introduces it with its one-time code; an existing one keeps its key. Rejects with the server's
   * reason, and if the server does not answer in time; the unit stays, with that reason.
   */
  async add({ serial, model, code, withinMs }: { serial: string; model?: string; code: string } & EnrolOptions) {
    // Until then, the folder is that of the unit that leaves; if the removal fails, it stays.
    await this.#removals.get(serial)?.catch(() => {})
    const unit = this.#units.get(serial) ?? this.#install({ serial, model })
    await unit.start()
    await unit.enrol(code, { withinMs })
    return unit
  }

  /** Removes a unit whose enrolment has failed; the keys and records of an enrolled one are needed. */
  remove(unit: VirtualUnit) {
    const { serial } = unit
    // It leaves, or has left: its folder may be that of another one.
    if (this.#units.get(serial) !== unit) return this.#removals.get(serial) ?? Promise.resolve()
    this.#units.delete(serial)
    const removal = this.#discard(unit)
      .catch((error: unknown) => {
        this.#units.set(serial, unit)
        throw error
      })
      .finally(() => this.#removals.delete(serial))
    this.#removals.set(serial, removal)
    return removal
  }

  async stop() {
    await Promise.allSettled(this.#removals.values())
    await Promise.all(this.list().map((unit) => unit.stop()))
  }

  async #discard(unit: VirtualUnit) {
    const dir = this.#dirOf(unit.serial)
    if (await UnitStore.isEnrolled(dir)) throw new UnitIsEnrolled()
    await unit.remove(async () => {
      // An enrolment may have succeeded until it was switched off.
      if (await UnitStore.isEnrolled(dir)) throw new UnitIsEnrolled()
      await rm(dir, { recursive: true, force: true })
    })
  }

  #install({ serial, model }: { serial: string; model?: string }) {
    const { report, ...options } = this.#options
    const unit = new VirtualUnit({
      ...options,
      serial,
      model,
      dir: this.#dirOf(serial),
      report: (sentence) => report?.(serial, sentence),
    })
    this.#units.set(serial, unit)
    return unit
  }

  /** A serial number may contain characters that file names cannot, such as a colon on some systems. */
  #dirOf(serial: string) {
    return join(this.#options.dir, encodeURIComponent(serial))
  }
}

class UnitIsEnrolled extends Error {
  override name = 'UnitIsEnrolled'

  constructor() {
    super('Only a controller that is not enrolled can be removed.')
  }
}
