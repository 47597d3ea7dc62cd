import { TokenBuckets } from './token-buckets.ts'
import type { Rate } from './token-bucket.ts'

/** Begins the work of each key within a rate. Work beyond it waits; later work of the same key replaces it. */
export class RatedWork {
  readonly #buckets: TokenBuckets
  readonly #waiting = new Map<string, NodeJS.Timeout>()

  constructor(rate: Rate) {
    this.#buckets = new TokenBuckets(rate)
  }

  run(key: string, work: () => void) {
    clearTimeout(this.#waiting.get(key))
    this.#waiting.delete(key)
    const bucket = this.#buckets.of(key)
    if (bucket.trySpend(1)) return work()
    const timer = setTimeout(() => this.run(key, work), bucket.msUntil(1))
    this.#waiting.set(key, timer.unref())
  }

  stop() {
    for (const timer of this.#waiting.values()) clearTimeout(timer)
  }
}
