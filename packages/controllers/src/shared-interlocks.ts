import { randomUUID } from 'node:crypto'
import { limits, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { InterlockOutcome } from '@portcullis/domain/decision/access-facts'

type Pending = { door: number; settle: (outcome: InterlockOutcome) => void }

export type SharedInterlocksOptions = {
  /** The numbers of the unit's doors. */
  doors: () => readonly number[]
  /** Whether the door shares an interlock with doors of other units. */
  isShared: (door: number) => boolean
  /** Whether the door is closed and locked. */
  isSecure: (door: number) => boolean
  isOnline: () => boolean
  send: (frame: UnitFrame) => void
}

/**
 * Asks the server before a door is released that shares an interlock with doors of other units, and reports these doors to
 * it. Without an answer they stay locked.
 */
export class SharedInterlocks {
  readonly #options: SharedInterlocksOptions
  readonly #pending = new Map<string, Pending>()
  /** Whether each door was secure when it was last reported on this connection. */
  readonly #reported = new Map<number, boolean>()

  constructor(options: SharedInterlocksOptions) {
    this.#options = options
  }

  isShared(door: number) {
    return this.#options.isShared(door)
  }

  /**
   * Calls `onAnswer` with the answer; a door that it releases is reported afterwards, and so is one that it does not. For a door
   * without a shared interlock `onAnswer` is called at once, with `not_asked`.
   */
  async ask<Result>(door: number, onAnswer: (outcome: InterlockOutcome) => Result): Promise<Result> {
    if (!this.isShared(door)) return onAnswer('not_asked')
    if (!this.#options.isOnline()) return onAnswer('unavailable')
    const id = randomUUID()
    const { promise, resolve } = Promise.withResolvers<Result>()
    const settle = (outcome: InterlockOutcome) => {
      clearTimeout(timer)
      this.#pending.delete(id)
      resolve(onAnswer(outcome))
      this.#reported.delete(door)
      this.changed()
    }
    const timer = setTimeout(() => settle('unavailable'), limits.interlockMs)
    this.#pending.set(id, { door, settle })
    this.#options.send({ type: 'interlockRequest', id, door })
    return promise
  }

  /** An answer that comes too late finds no request: its door has been reported since. */
  answered({ id, isClear }: { id: string; isClear: boolean }) {
    this.#pending.get(id)?.settle(isClear ? 'clear' : 'violated')
  }

  /** A door may have opened, closed, been released or locked. */
  changed() {
    if (!this.#options.isOnline()) return
    const waiting = new Set([...this.#pending.values()].map(({ door }) => door))
    const doors = this.#options
      .doors()
      .filter((door) => this.isShared(door) && !waiting.has(door))
      .map((door) => ({ door, isSecure: this.#options.isSecure(door) }))
      .filter(({ door, isSecure }) => this.#reported.get(door) !== isSecure)
    if (doors.length === 0) return
    for (const { door, isSecure } of doors) this.#reported.set(door, isSecure)
    this.#options.send({ type: 'interlockState', doors })
  }

  /** Reports all doors, also to a server that knows them. */
  report() {
    this.#reported.clear()
    this.changed()
  }

  disconnected() {
    for (const { settle } of this.#pending.values()) settle('unavailable')
    this.#reported.clear()
  }
}
