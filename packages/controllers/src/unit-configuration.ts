import type { UnitCapacity } from '@portcullis/contract/unit-capacity'
import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { configSize } from '@portcullis/domain/configuration/config-size'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'
import { type ChunkFrame, ConfigReceiver, type Received } from './config-receiver.ts'
import { appliedMark } from './unit-introduction.ts'
import type { Faults } from './unit-link.ts'
import { trustedKeys, type UnitStore } from './unit-store.ts'

type Options = {
  store: UnitStore
  capacity: () => UnitCapacity
  faults: () => Faults
  /** Another configuration applies. */
  applied: () => void
  send: (frame: UnitFrame) => void
}

/** Receives the unit's configuration, stores it if it fits, and answers applied or rejected. */
export class UnitConfiguration {
  readonly #options: Options
  readonly #receiver = new ConfigReceiver()

  constructor(options: Options) {
    this.#options = options
  }

  begin(frame: Parameters<ConfigReceiver['begin']>[0]) {
    this.#receiver.begin(frame)
  }

  async add(chunk: ChunkFrame) {
    const { store, faults, send } = this.#options
    const { identity, highestVersion, applied } = store
    if (!identity.enrolled || faults().memory === 'stuck') return
    const { unit } = identity.enrolled
    const received = this.#receiver.add(chunk, {
      unit,
      serverKeys: trustedKeys(identity.enrolled),
      highestVersion,
      applied,
    })
    switch (received.outcome) {
      case 'more':
        return
      case 'rejected':
        return send({ type: 'configRejected', version: received.version, reason: received.reason })
      case 'accepted':
        return this.#keep(received)
      case 'inForce':
        return this.#confirmApplied()
    }
  }

  async #keep({ applied, bytes, delta }: Extract<Received, { outcome: 'accepted' }>) {
    const { store, capacity, faults, send } = this.#options
    const isFull = faults().memory === 'full'
    const reason = isFull ? `no_room: ${bytes.length} bytes` : lacksRoom(applied.config, capacity())
    if (reason) return send({ type: 'configRejected', version: applied.version, reason })
    await store.apply({ ...applied, bytes, delta })
    this.#options.applied()
    this.#confirmApplied()
  }

  #confirmApplied() {
    const mark = appliedMark(this.#options.store)
    if (mark) this.#options.send({ type: 'configApplied', ...mark })
  }
}

/** Why a configuration exceeds the unit's capacity; undefined if it fits. */
function lacksRoom(config: UnitConfig, capacity: UnitCapacity): string | undefined {
  const size = configSize(config)
  const kinds = ['doors', 'credentials', 'schedules'] as const
  const kind = kinds.find((each) => size[each] > capacity[each])
  return kind && `no_room: ${size[kind]} ${kind}, of at most ${capacity[kind]}`
}
