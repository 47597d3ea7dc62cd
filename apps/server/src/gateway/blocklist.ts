import { limits } from '@portcullis/contract/unit-protocol/frames'
import type { ChangedCredentials } from '@portcullis/domain/decision/usable-credential'

/** The credentials that one connected unit has blocked. */
export class Blocklist {
  readonly #blocked: Set<string>

  constructor(blocked: readonly string[]) {
    this.#blocked = new Set(blocked)
  }

  get blocked(): readonly string[] {
    return [...this.#blocked]
  }

  /** What the unit must be sent after a change; undefined for nothing. Of more than a unit can block, the last ones count. */
  take({ ended, usable }: ChangedCredentials) {
    const block = ended.filter((id) => !this.#blocked.has(id)).slice(-limits.blockedCredentials)
    const unblock = usable.filter((id) => this.#blocked.delete(id))
    for (const id of block) this.#blocked.add(id)
    // As the unit does.
    for (const id of this.#blocked) if (this.#blocked.size > limits.blockedCredentials) this.#blocked.delete(id)
    return block.length + unblock.length > 0 ? { block, unblock } : undefined
  }
}
