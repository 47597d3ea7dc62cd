/**
 * Why a session is over here: the server says so (specification §8: 401 or 307), the user logs out, was idle for too
 * long, or the screen was locked. `elsewhere`: another tab has ended it.
 */
export type SessionEnd = 'ended' | 'logged_out' | 'idle' | 'locked' | 'elsewhere'
type Handler = (reason: SessionEnd) => void

const handlers = new Set<Handler>()
let isLeaving = false

/** Registers a handler for the end of the session. */
export function whenSessionEnds(handler: Handler) {
  handlers.add(handler)
  return () => {
    handlers.delete(handler)
  }
}

export function endSession(reason: SessionEnd) {
  // While the logout is sent, the server may answer other requests that the session has ended: this is already known.
  if (isLeaving && reason === 'ended') return
  for (const handler of handlers) handler(reason)
}

/** Ends the session once the server knows. */
export async function leaveSession(reason: SessionEnd, notifyServer: () => Promise<unknown>) {
  isLeaving = true
  try {
    await notifyServer()
  } finally {
    isLeaving = false
  }
  endSession(reason)
}
