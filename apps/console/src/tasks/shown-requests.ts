import type { Request } from './request.ts'

type ShownRequestsInput = {
  /** The response of the server, and the messages received since. */
  listed: readonly Request[]
  /** The requests decided here, as they are now; cleared ones are not among them. */
  decided: readonly Request[]
}

/**
 * The requests in the drop-down: those still waiting, and those decided here until they are cleared. Requests that another user
 * decided, or that expired, disappear. The newest is first.
 */
export function shownRequests({ listed, decided }: ShownRequestsInput): Request[] {
  const own = new Set(decided.map(({ _id }) => _id))
  const waiting = listed.filter(({ _id, status }) => status === 'Requested' && !own.has(_id))
  return [...waiting, ...decided].toSorted(
    (one, other) => other.createdAt.localeCompare(one.createdAt) || other._id.localeCompare(one._id),
  )
}
