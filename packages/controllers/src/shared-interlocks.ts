import { randomUUID } from 'node:crypto'
import type { InterlockAnswered } from '@portcullis/contract/unit-protocol/interlock-frames'
import { limits, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { InterlockOutcome } from '@portcullis/domain/decision/access-facts'

const outcomes = { clear: 'clear', open: 'violated', unknown: 'unavailable' } as const satisfies Record<
  InterlockAnswered,
  InterlockOutcome
>

type Pending = { door: number; settle: (answer?: InterlockAnswered) => void }
/** `isAnswered`: by the server; otherwise it could not be asked, or did not answer in time. */
type OnAnswer<Result> = (outcome: InterlockOutcome, isAnswered: boolean) => Result

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
  /** Whether each door was secure when it was last reported on this connection; undefined: it is reported again. */
  readonly #reported = new Map<number, boolean | undefined>()

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
  async ask<Result>(door: number, onAnswer: OnAnswer<Result>): Promise<Result> {
    if (!this.isShared(door)) return onAnswer('not_asked', false)
    if (!this.#options.isOnline()) return onAnswer('unavailable', false)
    const id = randomUUID()
    const { promise, resolve } = Promise.withResolvers<Result>()
    const settle = (answer?: InterlockAnswered) => {
      clearTimeout(timer)
      this.#pending.delete(id)
      this.#reported.set(door, undefined)
      resolve(onAnswer(outcomes[answer ?? 'unknown'], answer !== undefined))
      this.changed()
    }
    const timer = setTimeout(settle, limits.interlockMs)
    this.#pending.set(id, { door, settle })
    this.#options.send({ type: 'interlockRequest', id, door })
    return promise
  }

  /** An answer that comes too late finds no request: its door has been reported since. */
  answered({ id, outcome }: { id: string; outcome: InterlockAnswered }) {
    this.#pending.get(id)?.settle(outcome)
  }

  /**
   * A door may have opened, closed, been released or locked, or no longer share an interlock: then the server must not let
   * others open as if this unit still asked, so it is reported as not secure.
   */
  changed() {
    const { isOnline, isSecure, send } = this.#options
    if (!isOnline()) return
    const waiting = new Set([...this.#pending.values()].map(({ door }) => door))
    const shared = this.#options.doors().filter((door) => this.isShared(door))
    const doors = [...new Set([...shared, ...this.#reported.keys()])]
      .map((door) => ({ door, isSecure: this.isShared(door) && isSecure(door) }))
      // A report as secure would end the hold of the server.
      .filter(({ door, isSecure }) => !isSecure || !waiting.has(door))
      .filter((state) => this.#reported.get(state.door) !== state.isSecure)
    for (const state of doors) {
      if (this.isShared(state.door)) this.#reported.set(state.door, state.isSecure)
      else this.#reported.delete(state.door)
    }
    if (doors.length > 0) send({ type: 'interlockState', doors })
  }

  /** Reports all doors, also to a server that knows them. */
  report() {
    for (const door of this.#reported.keys()) this.#reported.set(door, undefined)
    this.changed()
  }

  disconnected() {
    for (const { settle } of this.#pending.values()) settle()
    this.#reported.clear()
  }
}
