import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { DoorMode } from '@portcullis/domain/policy'
import { type DoorModeFrame, receiveDoorMode, type StoredModes } from './door-modes.ts'
import type { UnitDoors } from './unit-doors.ts'
import { trustedKeys, type UnitStore } from './unit-store.ts'

type Options = {
  store: UnitStore
  doors: UnitDoors
  send: (frame: UnitFrame) => void
  /** Another mode applies at a door. */
  changed: (door: number, mode: DoorMode) => void
  report: (sentence: string) => void
}

/**
 * The desired modes of the doors: stores those that the server has signed, applies and confirms them. A mode that locks
 * applies before it is stored.
 */
export class UnitModes {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async receive(frame: DoorModeFrame) {
    const { store, report } = this.#options
    const { identity, doorModes: modes } = store
    if (!identity.enrolled) return
    const { unit } = identity.enrolled
    const received = receiveDoorMode({ frame, modes, unit, serverKeys: trustedKeys(identity.enrolled) })
    if (received.outcome === 'refused') return report(received.reason)
    const isNew = received.outcome === 'kept'
    const desired = isNew ? received.modes : modes
    // A lockdown does not wait for the disk, which may refuse it.
    const isUrgent = frame.mode === 'lockdown' || frame.mode === 'blocked'
    if (isNew && isUrgent) this.#apply(frame, desired)
    if (desired !== store.doorModesOnDisk) await store.keepDoorModes(desired)
    if (isNew && !isUrgent) this.#apply(frame, desired)
    this.#confirm(frame)
  }

  #apply(frame: DoorModeFrame, modes: StoredModes) {
    const { store, doors, changed } = this.#options
    store.doorModes = modes
    doors.obeyMode(frame.door)
    if (!this.#waits(frame)) changed(frame.door, doors.isScheduled(frame.door) ? 'unlocked' : frame.mode)
  }

  /** Under a new configuration, a hold of another door ends, one that has waited for its door begins, and schedules may differ. */
  obey() {
    const { store, doors, changed, report } = this.#options
    for (const { door, isHeld, isBySchedule } of doors.obeyModes()) {
      const version = store.doorModes[door]?.version ?? 0
      if (isHeld) this.#confirm({ door, version })
      else if (!isBySchedule)
        report(`door ${door} locks again: it was held unlocked for another door, which had this number before`)
      changed(door, isHeld ? 'unlocked' : 'normal')
    }
  }

  /** A hold waits for the configuration that names its door. */
  #waits({ door, doorId, mode }: Pick<DoorModeFrame, 'door' | 'doorId' | 'mode'>) {
    return mode === 'unlocked' && !this.#options.doors.isAt({ door, doorId })
  }

  /** A hold that waits is not confirmed; a stored mode that is newer than the server's is reported. */
  #confirm({ door, version: sent }: { door: number; version: number }) {
    const { store, send } = this.#options
    const stored = store.doorModes[door]
    if (!stored) return
    const { doorId = null, version, mode, until, mayPass } = stored
    if (version === sent && this.#waits({ door, doorId, mode })) return
    send({ type: 'doorModeApplied', door, version, stored: { doorId, mode, until, ...(mayPass && { mayPass }) } })
  }
}
