type Handler = () => void

const handlers = new Set<Handler>()

/** Registers a handler for refusals of the server: the console's rights may be out of date. */
export function whenForbidden(handler: Handler) {
  handlers.add(handler)
  return () => {
    handlers.delete(handler)
  }
}

export function notifyForbidden() {
  for (const handler of handlers) handler()
}

// Checked by shape, not by class: the sign-in page must not load the client.

export function isForbidden(error: unknown): boolean {
  return statusOf(error) === 403
}

/** Whether the server has answered, and would give the same answer again. */
export function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  return status >= 400 && status < 502
}

/** Whether the server could not be reached at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'unreachable'
}

function statusOf(error: unknown) {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 0
}
