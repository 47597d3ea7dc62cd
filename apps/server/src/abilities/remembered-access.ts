import type { Access } from './access.ts'
import type { AccessProof } from './access-proof.ts'

/** Each stores the keys of a tree of accounts. */
const maxRemembered = 2_000

export type Remembered = Omit<Access, 'requestId'> & { proof: AccessProof }

/** Rights that were looked up recently, by user and account; those unused for the longest time are removed first. */
export function makeRememberedAccess() {
  const entries = new Map<string, Remembered>()

  return {
    get(key: string) {
      const found = entries.get(key)
      if (!found) return undefined
      entries.delete(key)
      entries.set(key, found)
      return found
    },
    set(key: string, access: Remembered) {
      entries.set(key, access)
      if (entries.size <= maxRemembered) return
      for (const oldest of entries.keys()) return void entries.delete(oldest)
    },
    delete(key: string) {
      entries.delete(key)
    },
  }
}
