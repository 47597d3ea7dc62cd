import type { InterlockOutcome } from '@portcullis/domain/decision/access-facts'
import { doorOnUnit } from '@portcullis/domain/configuration/known-config'
import { modeAt, unlockedBySchedule } from '@portcullis/domain/decision/door-mode'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import type { DoorMode } from '@portcullis/domain/policy'
import { lastingState } from '@portcullis/domain/time/schedule'
import { storedMayPassAt, storedModeAt } from './door-modes.ts'
import { closedLeaf, type DoorChange, type DoorLeaf, type DoorPace, SimulatedDoor } from './simulated-door.ts'
import { SharedInterlocks, type SharedInterlocksOptions } from './shared-interlocks.ts'
import type { UnitStore } from './unit-store.ts'

export type DoorSwitch = 'forced' | 'held' | 'closed' | 'exit'

type Options = {
  pace: DoorPace
  /** The leaves by door number: what the contacts read. */
  leaves: Map<number, DoorLeaf>
  store: UnitStore
  /** The unit's own clock, in epoch milliseconds. */
  now: () => number
  onChange: (door: number, what: DoorChange) => void
  /** The unlock schedule of a door has begun or ended to apply. */
  onSchedule: (door: number, mode: DoorMode) => void
} & Pick<SharedInterlocksOptions, 'isOnline' | 'send'>

/** The doors of a unit: their locks, and the modes that the server has set for them. */
export class UnitDoors {
  readonly interlocks: SharedInterlocks
  readonly #options: Options
  readonly #doors = new Map<number, SimulatedDoor>()
  readonly #modeEnds = new Map<number, NodeJS.Timeout>()
  /** The door numbers that a stored mode or a schedule holds unlocked, also while an interlock keeps them locked. */
  readonly #held = new Set<number>()
  /** Those of them which a schedule holds. */
  readonly #scheduled = new Set<number>()
  /** Those of them which the server lets the unit release. */
  readonly #released = new Set<number>()
  /** Those about which it waits for the server's answer. */
  readonly #claimed = new Set<number>()

  constructor(options: Options) {
    this.#options = options
    const configured = (door: number) => options.store.applied?.config.doors[door]
    this.interlocks = new SharedInterlocks({
      ...options,
      doors: () => Object.keys(options.store.applied?.config.doors ?? {}).map(Number),
      isShared: (door) => configured(door)?.sharedInterlock === true,
      isSecure: (door) => !this.open().has(door),
    })
  }

  /** Reads the contacts, then brings the locks into the modes that were stored before the unit was switched off. */
  start() {
    for (const number of this.#options.leaves.keys()) this.#door(number).start(this.#settingsOf(number))
    for (const door of this.#doorsWithModes()) this.obeyMode(door)
  }

  stop() {
    for (const door of this.#doors.values()) door.stop()
    for (const timer of this.#modeEnds.values()) clearTimeout(timer)
  }

  /** For a user or a command. An interlocked door stays locked. */
  unlock(door: number) {
    if (!this.#isInterlocked(door)) this.#door(door).unlock(this.#settingsOf(door))
  }

  operate({ door, what }: { door: number; what: DoorSwitch }) {
    const simulated = this.#door(door)
    switch (what) {
      case 'forced':
        return simulated.force()
      case 'held':
        return simulated.holdOpen(this.#settingsOf(door))
      case 'closed':
        return simulated.close()
      case 'exit':
        return simulated.requestExit(this.#settingsOf(door))
    }
  }

  state() {
    const configured = this.#options.store.applied?.config.doors ?? {}
    return [...new Set([...Object.keys(configured).map(Number), ...this.#doors.keys()])].map((number) => ({
      number,
      name: configured[number]?.name ?? null,
      position: this.#doors.get(number)?.position ?? 'closed',
      lock: this.#doors.get(number)?.lock ?? 'locked',
    }))
  }

  /** Whether the contact shows the door open. */
  isOpen(door: number) {
    return this.#door(door).position !== 'closed'
  }

  /** The numbers of the doors that are open, or whose locks are released. */
  open(): ReadonlySet<number> {
    const open = [...this.#doors].filter(([, { position, lock }]) => position !== 'closed' || lock === 'unlocked')
    return new Set(open.map(([number]) => number))
  }

  /** The mode that the server has set for a door and that applies now; undefined without one. */
  storedMode(door: number, at = this.#options.now()) {
    const { store } = this.#options
    return storedModeAt(store.doorModes, { door, configured: store.applied?.config.doors[door], at })
  }

  /** The user groups that may pass during the lockdown of a door. */
  mayPass(door: number) {
    const { store } = this.#options
    return storedMayPassAt(store.doorModes, { door, configured: store.applied?.config.doors[door] })
  }

  /** Drives the lock as the current mode requires, and again when that mode ends. */
  obeyMode(door: number) {
    // One reading of the clock: a mode that ended between two would hold the door unlocked forever.
    const at = this.#options.now()
    const hours = this.#unlockHours(door)
    setIn(this.#scheduled, door, unlockedBySchedule(this.#desiredMode(door, at), { hours, at }) !== undefined)
    setIn(this.#held, door, this.#scheduled.has(door) || this.storedMode(door, at) === 'unlocked')
    this.#driveHolds()
    this.#releaseHolds()
    clearTimeout(this.#modeEnds.get(door))
    const until = this.#options.store.doorModes[door]?.until
    const ends = [
      ...(until ? [Date.parse(until)] : []),
      ...(hours ? [lastingState({ ...hours.calendar, schedule: hours.table, at }).until] : []),
    ].filter((end) => end > at)
    if (ends.length === 0) return
    const waitMs = Math.min(...ends.map((end) => end - at), longestWaitMs)
    this.#modeEnds.set(
      door,
      setTimeout(() => this.#modeEnded(door), waitMs),
    )
  }

  #modeEnded(door: number) {
    const wasScheduled = this.isScheduled(door)
    this.obeyMode(door)
    const isScheduled = this.isScheduled(door)
    if (isScheduled !== wasScheduled) this.#options.onSchedule(door, isScheduled ? 'unlocked' : 'normal')
  }

  /** Whether the door stands unlocked by its schedule. */
  isScheduled(door: number) {
    return this.#scheduled.has(door)
  }

  /** Obeys modes and schedules under a new configuration; returns the door numbers that are now held, or no longer. */
  obeyModes() {
    return this.#doorsWithModes().flatMap((door) => {
      const [wasHeld, wasScheduled] = [this.#held.has(door), this.isScheduled(door)]
      this.obeyMode(door)
      const isHeld = this.#held.has(door)
      return isHeld === wasHeld ? [] : [{ door, isHeld, isBySchedule: wasScheduled || this.isScheduled(door) }]
    })
  }

  #doorsWithModes() {
    const { applied, doorModes } = this.#options.store
    const configured = Object.entries(applied?.config.doors ?? {}).filter(([, { unlockSchedule }]) => unlockSchedule)
    const numbers = [...Object.keys(doorModes), ...configured.map(([number]) => number)].map(Number)
    return [...new Set([...numbers, ...this.#scheduled])]
  }

  #unlockHours(door: number) {
    const { applied } = this.#options.store
    return applied && doorOnUnit(applied.config, door)?.unlockHours
  }

  #desiredMode(door: number, at: number): DoorMode {
    const configured = this.#options.store.applied?.config.doors[door]
    return this.storedMode(door, at) ?? (configured ? modeAt(configured, at) : 'normal')
  }

  /** Reports the doors that share an interlock with doors of other units, and asks about those that a mode holds unlocked. */
  shareInterlocks() {
    this.interlocks.report()
    this.#releaseHolds()
  }

  /**
   * Asks the server whether the doors that a mode holds unlocked may be released, and whether released ones may stay so:
   * their interlocks may now have other doors. Without an answer they stay as they are.
   */
  #releaseHolds() {
    const mayAsk = (door: number) =>
      this.interlocks.isShared(door) && !this.#claimed.has(door) && !this.#isInterlocked(door)
    for (const door of this.#held) {
      if (!mayAsk(door)) continue
      this.#claimed.add(door)
      void this.interlocks.ask(door, (outcome, isAnswered) => {
        this.#claimed.delete(door)
        if (outcome === 'clear') this.#released.add(door)
        else if (isAnswered) this.#released.delete(door)
        this.#driveHolds()
      })
    }
  }

  /** Whether the configuration names this door at the number. */
  isAt({ door, doorId }: { door: number; doorId: string | null }) {
    return this.#options.store.applied?.config.doors[door]?._id === doorId
  }

  /** Whether the configuration names another door than this one at the number. */
  isRewired({ door, doorId }: { door: number; doorId: string | null }) {
    const configured = this.#options.store.applied?.config.doors[door]
    return configured !== undefined && configured._id !== doorId
  }

  /** Why a command must not open the door now: this unit may know more recent facts than the server. */
  obstacleAt(door: number, sharedInterlock: InterlockOutcome = 'not_asked'): ReasonCode | undefined {
    const config = this.#options.store.applied?.config
    const configured = config?.doors[door]
    if (!config || !configured) return 'door_unknown'
    if (!config.inService) return 'unit_out_of_service'
    if (!configured.enabled) return 'door_disabled'
    const mode = this.#desiredMode(door, this.#options.now())
    if (mode === 'lockdown') return 'door_locked_down'
    if (mode === 'blocked') return 'door_blocked'
    return this.#interlockAt(door, sharedInterlock)
  }

  #interlockAt(door: number, sharedInterlock: InterlockOutcome): ReasonCode | undefined {
    if (sharedInterlock === 'unavailable') return 'interlock_unavailable'
    return sharedInterlock === 'violated' || this.#isInterlocked(door) ? 'interlock' : undefined
  }

  /** Whether another door of its interlock is open or unlocked. Only request to exit may release the lock then. */
  #isInterlocked(door: number) {
    const open = this.open()
    return this.#options.store.applied?.config.doors[door]?.interlock?.some((number) => open.has(number)) ?? false
  }

  /** Locks that an interlock keeps locked are released when the other door is closed and locked again. */
  #driveHolds() {
    const mayHold = (door: number) =>
      this.#held.has(door) &&
      !this.#isInterlocked(door) &&
      (!this.interlocks.isShared(door) || this.#released.has(door))
    const doors = [...new Set([...this.#doors.keys(), ...this.#held])]
    for (const door of doors) {
      if (!this.interlocks.isShared(door)) this.#released.delete(door)
      if (mayHold(door)) continue
      this.#released.delete(door)
      this.#door(door).endHold()
    }
    for (const door of doors) if (mayHold(door)) this.#door(door).holdUnlocked()
    this.interlocks.changed()
  }

  #door(number: number) {
    const existing = this.#doors.get(number)
    if (existing) return existing
    const { pace, leaves, onChange } = this.#options
    const leaf = leaves.get(number) ?? closedLeaf()
    leaves.set(number, leaf)
    const door = new SimulatedDoor({
      pace,
      leaf,
      onChange: (what) => onChange(number, what),
      onState: () => this.#driveHolds(),
    })
    this.#doors.set(number, door)
    return door
  }

  #settingsOf(number: number) {
    return this.#options.store.applied?.config.doors[number] ?? { relockAfterSeconds: 5, heldOpenAfterSeconds: 30 }
  }
}

/** The clock of a unit may be set while a timer waits. */
const longestWaitMs = 60_000

function setIn(doors: Set<number>, door: number, isIn: boolean) {
  if (isIn) doors.add(door)
  else doors.delete(door)
}
