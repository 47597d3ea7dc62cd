type Reason = 'ended' | 'logged_out'
type Handler = (reason: Reason) => void

const handlers = new Set<Handler>()

/** Registers what happens when the session is over: the server says so (specification §8: 401 or 307), or the person logs out. */
export function whenSessionEnds(handler: Handler) {
  handlers.add(handler)
  return () => {
    handlers.delete(handler)
  }
}

export function endSession(reason: Reason) {
  for (const handler of handlers) handler(reason)
}
