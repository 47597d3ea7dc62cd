import { useSyncExternalStore } from 'react'
import { whenSessionEnds } from './session-end.ts'

type Question = { answer: Promise<boolean>; end: (isConfirmed: boolean) => void }

let open: Question | undefined
let lastConfirmed = Number.NEGATIVE_INFINITY
const listeners = new Set<() => void>()

/**
 * Asks the user to confirm their identity, because the server requires a fresh sign-in. Concurrent requests share one
 * question, and a request sent before the last confirmation needs none. Returns whether the user has confirmed.
 */
export function askIdentity({ sentAt }: { sentAt: number }): Promise<boolean> {
  if (sentAt < lastConfirmed) return Promise.resolve(true)
  if (open) return open.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  put({
    answer: promise,
    end(isConfirmed) {
      if (isConfirmed) lastConfirmed = Date.now()
      put(undefined)
      resolve(isConfirmed)
    },
  })
  return promise
}

/** The open question, if any. */
export function useIdentityQuestion() {
  return useSyncExternalStore(watch, () => open)
}

function put(next: Question | undefined) {
  open = next
  for (const listener of listeners) listener()
}

function watch(onChange: () => void) {
  listeners.add(onChange)
  return () => {
    listeners.delete(onChange)
  }
}

whenSessionEnds(() => open?.end(false))
