type Handler = () => void

const handlers = new Set<Handler>()

/** Registers what happens when the server forbids something: the rights that are known here may be old. */
export function whenForbidden(handler: Handler) {
  handlers.add(handler)
  return () => {
    handlers.delete(handler)
  }
}

export function tellForbidden() {
  for (const handler of handlers) handler()
}

// Told by their shape, so that the sign-in page need not load the client.

export function isForbidden(error: unknown): boolean {
  return statusOf(error) === 403
}

/** Whether the server has answered, and would answer the same again. */
export function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  return status >= 400 && status < 502
}

function statusOf(error: unknown) {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 0
}
