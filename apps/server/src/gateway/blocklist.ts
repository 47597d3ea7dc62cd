import { limits } from '@portcullis/contract/unit-protocol/frames'
import type { ChangedCredentials } from '@portcullis/domain/decision/usable-credential'

const noIds: string[] = []
/** More than the unit keeps: it also forgets those that its configuration no longer contains. */
const maxRemembered = 5 * limits.blockedCredentials

/** The credentials that one connected unit may have blocked. */
export class Blocklist {
  readonly #blocked: Set<string>

  constructor(blocked: readonly string[]) {
    this.#blocked = new Set(blocked)
  }

  get blocked(): readonly string[] {
    return [...this.#blocked]
  }

  /**
   * The lists that the unit must be sent after a change. Of more credentials than a unit can block, the last ones count. It
   * may have forgotten what was blocked before, so that is sent again.
   */
  take({ ended, usable }: ChangedCredentials) {
    const block = ended.slice(-limits.blockedCredentials)
    const unblock = usable.filter((id) => this.#blocked.delete(id))
    for (const id of block) {
      this.#blocked.delete(id)
      this.#blocked.add(id)
    }
    for (const id of this.#blocked) if (this.#blocked.size > maxRemembered) this.#blocked.delete(id)
    const lists = chunksOf(unblock).map((some) => ({ block: noIds, unblock: some }))
    return block.length > 0 ? [{ block, unblock: [] }, ...lists] : lists
  }
}

function chunksOf(ids: readonly string[]) {
  const size = limits.blockedCredentials
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size))
}
