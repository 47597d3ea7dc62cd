export type DoorChange = 'opened' | 'closed' | 'forced' | 'held' | 'restored' | 'exit_requested'
export type DoorPosition = 'closed' | 'open' | 'forced' | 'held'

/** How long users take at a door, in milliseconds. */
export type DoorPace = { openAfterMs: number; closeAfterMs: number }
export const humanPace: DoorPace = { openAfterMs: 1_000, closeAfterMs: 3_000 }

export type DoorSettings = { relockAfterSeconds: number; heldOpenAfterSeconds: number }

/** A lock, a door contact, and a user who walks through once it is unlocked. */
export class SimulatedDoor {
  readonly #onChange: (what: DoorChange) => void
  readonly #pace: DoorPace
  /** The next action of a user at the door. */
  #next: NodeJS.Timeout | undefined
  #relocking: NodeJS.Timeout | undefined
  #isUnlocked = false
  #isHeldUnlocked = false
  position: DoorPosition = 'closed'

  constructor({ pace, onChange }: { pace: DoorPace; onChange: (what: DoorChange) => void }) {
    this.#pace = pace
    this.#onChange = onChange
  }

  get lock() {
    return this.#isUnlocked || this.#isHeldUnlocked ? 'unlocked' : 'locked'
  }

  /** Unlocks until the relock time, or until the door has closed behind the user. */
  unlock({ relockAfterSeconds }: DoorSettings) {
    clearTimeout(this.#relocking)
    this.#isUnlocked = true
    this.#relocking = setTimeout(() => this.#relock(), relockAfterSeconds * 1_000)
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
    this.#move('forced', 'forced')
  }

  /** A user wedges the door open. */
  holdOpen(settings: DoorSettings) {
    if (this.position === 'closed') this.#move('open', 'opened')
    this.#then(settings.heldOpenAfterSeconds * 1_000, () => this.#move('held', 'held'))
  }

  close() {
    this.#cancelTimers()
    this.#relock()
    if (this.position === 'closed') return
    if (this.position !== 'open') this.#onChange('restored')
    this.#move('closed', 'closed')
  }

  /** The power is gone: no timers run on. */
  stop() {
    this.#cancelTimers()
  }

  #relock() {
    this.#isUnlocked = false
  }

  #move(position: DoorPosition, what: DoorChange) {
    this.position = position
    this.#onChange(what)
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
