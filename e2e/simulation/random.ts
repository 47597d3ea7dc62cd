/** Draws from a seed: the same seed gives the same numbers in the same order. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** From 0 up to, but not including, 1 (Mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `from` up to and including `to`. */
  between(from: number, to: number) {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  chance(share: number) {
    return this.next() < share
  }

  pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.next() * values.length)]
    if (value === undefined) throw new Error('There is nothing to pick from.')
    return value
  }

  /** Another series of numbers, which draws here do not change. */
  branch() {
    return new Random(this.between(0, 2 ** 31 - 1))
  }
}
