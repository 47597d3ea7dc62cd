import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import type { Faults } from './unit-link.ts'
import type { UnitMemoryFile } from './unit-memory.ts'

type What = Extract<UnitRecord, { type: 'unit' }>['what']

/** The unit's tamper contact and its power supply. */
export type UnitInputs = Pick<Faults, 'tampered' | 'onBattery'>

const records = {
  tampered: { begins: 'tamper', ends: 'tamper_ended' },
  onBattery: { begins: 'on_battery', ends: 'on_mains' },
} as const satisfies Record<keyof UnitInputs, Record<'begins' | 'ends', What>>

type Options = {
  memory: UnitMemoryFile
  read: () => UnitInputs
  record: (what: What) => void
}

/** Records each change of the unit's inputs once, also one that came while the unit was switched off. */
export class InputWatch {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns whether an input has changed since the last check. */
  check() {
    const { memory, read, record } = this.#options
    const { tampered, onBattery } = read()
    const [before, now] = [memory.inputs, { tampered, onBattery }]
    const changed = (['tampered', 'onBattery'] as const).filter((input) => before[input] !== now[input])
    for (const input of changed) record(records[input][now[input] ? 'begins' : 'ends'])
    if (changed.length > 0) memory.keepInputs(now)
    return changed.length > 0
  }
}
