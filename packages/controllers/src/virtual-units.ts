import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { VirtualUnit, type VirtualUnitOptions } from './virtual-unit.ts'

export type VirtualUnitsOptions = Pick<
  VirtualUnitOptions,
  'url' | 'allowUnencrypted' | 'pace' | 'logBytes' | 'journal'
> & {
  /** The folder that contains one folder per unit. */
  dir: string
  report?: (serial: string, sentence: string) => void
}

/** Many virtual units in one process, found again on the disk after a restart. */
export class VirtualUnits {
  readonly #options: VirtualUnitsOptions
  readonly #units = new Map<string, VirtualUnit>()

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
   * reason.
   */
  async add({ serial, model, code }: { serial: string; model?: string; code: string }) {
    const unit = this.#units.get(serial) ?? this.#install({ serial, model })
    await unit.start()
    await unit.enrol(code)
    return unit
  }

  async stop() {
    await Promise.all(this.list().map((unit) => unit.stop()))
  }

  #install({ serial, model }: { serial: string; model?: string }) {
    const { dir, report, ...options } = this.#options
    const unit = new VirtualUnit({
      ...options,
      serial,
      model,
      // A serial number may contain characters that file names cannot, such as a colon on some systems.
      dir: join(dir, encodeURIComponent(serial)),
      report: (sentence) => report?.(serial, sentence),
    })
    this.#units.set(serial, unit)
    return unit
  }
}
