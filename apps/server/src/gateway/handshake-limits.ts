/** A whole site may be behind one address and reconnect at once after a power cut. */
const mostIntroducing = 200
const mostRefused = 60
const refusalWindowMs = 60_000

/** How many units of one address may be connecting, and how often they may be refused, before they must wait. */
export class HandshakeLimits {
  readonly #introducing = new Map<string, number>()
  readonly #refused = new Map<string, { count: number; until: number }>()

  /** Counts an attempt, or returns false if there are too many; `done` ends it. */
  admit(address: string) {
    const introducing = this.#introducing.get(address) ?? 0
    if (introducing >= mostIntroducing || this.#refusedBy(address) >= mostRefused) return false
    this.#introducing.set(address, introducing + 1)
    return true
  }

  done(address: string) {
    const left = (this.#introducing.get(address) ?? 1) - 1
    if (left > 0) this.#introducing.set(address, left)
    else this.#introducing.delete(address)
  }

  refused(address: string) {
    const count = this.#refusedBy(address)
    if (count > 0) this.#refused.set(address, { count: count + 1, until: this.#refused.get(address)?.until ?? 0 })
    else this.#refused.set(address, { count: 1, until: Date.now() + refusalWindowMs })
  }

  #refusedBy(address: string) {
    const known = this.#refused.get(address)
    if (known && Date.now() < known.until) return known.count
    this.#refused.delete(address)
    return 0
  }
}
