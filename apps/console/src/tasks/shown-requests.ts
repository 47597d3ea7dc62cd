import type { Request } from './request.ts'

type Known = {
  /** What the server answered and the channel told since. */
  listed: readonly Request[]
  /** What was decided here, as it is now; cleared ones are not among them. */
  decided: readonly Request[]
}

/**
 * What stands in the drop-down: what still waits, and what was decided here until it is cleared. What somebody else decided, or
 * nobody in time, is gone. The newest is on top.
 */
export function shownRequests({ listed, decided }: Known): Request[] {
  const own = new Set(decided.map(({ _id }) => _id))
  const waiting = listed.filter(({ _id, status }) => status === 'Requested' && !own.has(_id))
  return [...waiting, ...decided].toSorted(
    (one, other) => other.createdAt.localeCompare(one.createdAt) || other._id.localeCompare(one._id),
  )
}
