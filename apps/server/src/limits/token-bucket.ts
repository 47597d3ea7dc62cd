export type Rate = {
  /** How much may be used at once. */
  burst: number
  perSecond: number
}

/** Measures use against a rate. Use beyond it is a debt, which is repaid at the rate. */
export class TokenBucket {
  readonly #rate: Rate
  #tokens: number
  #refilledAt = performance.now()

  constructor(rate: Rate) {
    this.#rate = rate
    this.#tokens = rate.burst
  }

  spend(tokens: number) {
    this.#refill()
    this.#tokens -= tokens
  }

  /** Spends the tokens only if they are there, and returns whether they were. */
  trySpend(tokens: number) {
    this.#refill()
    if (this.#tokens < tokens) return false
    this.#tokens -= tokens
    return true
  }

  /** The time until the debt is repaid; 0 if there is none. */
  get debtMs() {
    return this.msUntil(0)
  }

  /** The time until `trySpend` finds as many tokens. */
  msUntil(tokens: number) {
    this.#refill()
    return Math.max(0, ((tokens - this.#tokens) / this.#rate.perSecond) * 1_000)
  }

  get isFull() {
    this.#refill()
    return this.#tokens === this.#rate.burst
  }

  #refill() {
    const now = performance.now()
    const { burst, perSecond } = this.#rate
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#refilledAt) / 1_000) * perSecond)
    this.#refilledAt = now
  }
}
