export type DoorChange = 'opened' | 'closed' | 'forced' | 'held' | 'restored' | 'exit_requested'
export type DoorPosition = 'closed' | 'open' | 'forced' | 'held'

/** How long users take at a door, in milliseconds. */
export type DoorPace = { openAfterMs: number; closeAfterMs: number }
export const humanPace: DoorPace = { openAfterMs: 1_000, closeAfterMs: 3_000 }

export type DoorSettings = { relockAfterSeconds: number; heldOpenAfterSeconds: number }

/** The leaf of a door: it stays where it is without power. A wedged one stays open until it is closed. */
export type DoorLeaf = { isOpen: boolean; isWedged: boolean }
export const closedLeaf = (): DoorLeaf => ({ isOpen: false, isWedged: false })

type SimulatedDoorOptions = {
  pace: DoorPace
  leaf: DoorLeaf
  onChange: (what: DoorChange) => void
  /** The lock or the contact may have changed. */
  onState: () => void
}

/** A lock, a door contact, and a user who walks through once it is unlocked. */
export class SimulatedDoor {
  readonly #onChange: (what: DoorChange) => void
  readonly #onState: () => void
  readonly #pace: DoorPace
  readonly #leaf: DoorLeaf
  /** The next action of a user at the door. */
  #next: NodeJS.Timeout | undefined
  #relocking: NodeJS.Timeout | undefined
  #isUnlocked = false
  #isHeldUnlocked = false
  position: DoorPosition = 'closed'

  constructor({ pace, leaf, onChange, onState }: SimulatedDoorOptions) {
    this.#pace = pace
    this.#leaf = leaf
    this.#onChange = onChange
    this.#onState = onState
  }

  /** The power is on: the contact shows whether the door is open. */
  start(settings: DoorSettings) {
    if (!this.#leaf.isOpen) return
    this.position = 'open'
    if (this.#leaf.isWedged) this.#awaitHeld(settings)
    else this.#then(this.#pace.closeAfterMs, () => this.close())
  }

  get lock() {
    return this.#isUnlocked || this.#isHeldUnlocked ? 'unlocked' : 'locked'
  }

  /** Unlocks until the relock time, or until the door has closed behind the user. */
  unlock({ relockAfterSeconds }: DoorSettings) {
    clearTimeout(this.#relocking)
    this.#isUnlocked = true
    this.#relocking = setTimeout(() => this.#relock(), relockAfterSeconds * 1_000)
    this.#onState()
    // A user in the open door continues.
    if (this.position !== 'closed') return
    this.#then(this.#pace.openAfterMs, () => {
      this.#move('open', 'opened')
      this.#then(this.#pace.closeAfterMs, () => this.close())
    })
  }

  /** Keeps the door unlocked, whatever happens at it, until the hold ends. */
  holdUnlocked() {
    this.#isHeldUnlocked = true
  }

  endHold() {
    this.#isHeldUnlocked = false
  }

  requestExit(settings: DoorSettings) {
    this.#onChange('exit_requested')
    this.unlock(settings)
  }

  /** A user forces the locked door open. */
  force() {
    this.#cancelTimers()
    this.#relock()
    this.#leaf.isWedged = true
    this.#move('forced', 'forced')
  }

  /** A user wedges the door open. */
  holdOpen(settings: DoorSettings) {
    this.#leaf.isWedged = true
    if (this.position === 'closed') this.#move('open', 'opened')
    this.#awaitHeld(settings)
  }

  close() {
    this.#cancelTimers()
    this.#relock()
    this.#leaf.isWedged = false
    if (this.position === 'closed') return
    if (this.position !== 'open') this.#onChange('restored')
    this.#move('closed', 'closed')
  }

  /** The power is gone: no timers run on. */
  stop() {
    this.#cancelTimers()
  }

  #awaitHeld({ heldOpenAfterSeconds }: DoorSettings) {
    this.#then(heldOpenAfterSeconds * 1_000, () => this.#move('held', 'held'))
  }

  #relock() {
    this.#isUnlocked = false
    this.#onState()
  }

  #move(position: DoorPosition, what: DoorChange) {
    this.position = position
    this.#leaf.isOpen = position !== 'closed'
    this.#onChange(what)
    this.#onState()
  }

  #then(ms: number, work: () => void) {
    clearTimeout(this.#next)
    this.#next = setTimeout(work, ms)
  }

  #cancelTimers() {
    clearTimeout(this.#next)
    clearTimeout(this.#relocking)
  }
}
