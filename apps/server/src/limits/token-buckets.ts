import { type Rate, TokenBucket } from './token-bucket.ts'

/** A bucket for each key. Those that are full again are dropped as others are used, the oldest first. */
export class TokenBuckets {
  readonly #rate: Rate
  /** In the order of their last use. */
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  of(key: string) {
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#rate)
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    // Two for each use: the map shrinks again.
    this.#dropOldest(key)
    this.#dropOldest(key)
    return bucket
  }

  #dropOldest(used: string) {
    const [oldest] = this.#buckets
    if (oldest?.[1].isFull && oldest[0] !== used) this.#buckets.delete(oldest[0])
  }
}
