import { limits } from '@portcullis/contract/unit-protocol/frames'

type Person = {
  /** Whose credential it is now; undefined if it has lost its user. */
  user: () => string | undefined
  /** Decides again, now, as if both were present. */
  wouldPass: () => boolean
}
type Waiting = Person & { settle: (isPresent: boolean) => void }

/** The cardholders who wait at doors that open only for two. */
export class SecondPersons {
  readonly #waitMs: number
  readonly #waiting = new Map<string, Waiting>()

  constructor(milliseconds = limits.secondPersonSeconds * 1_000) {
    this.#waitMs = milliseconds
  }

  /**
   * For a user who lacks only the second person: resolves once another one is there; false if no such user comes in time.
   * `place`: a door's reader.
   */
  meet(place: string, person: Person): Promise<boolean> {
    const first = this.#waiting.get(place)
    if (first && first.user() !== person.user() && first.wouldPass()) {
      first.settle(true)
      return Promise.resolve(true)
    }
    // The same user begins to wait again, or the first may no longer pass.
    first?.settle(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => waiting.settle(false), this.#waitMs)
    const waiting: Waiting = {
      ...person,
      settle: (isPresent) => {
        clearTimeout(timer)
        if (this.#waiting.get(place) === waiting) this.#waiting.delete(place)
        resolve(isPresent)
      },
    }
    this.#waiting.set(place, waiting)
    return promise
  }

  /** The power is gone. */
  stop() {
    for (const waiting of this.#waiting.values()) waiting.settle(false)
  }
}
