import { cleanup, configure, render } from '@testing-library/react'
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event'
import { afterEach, vi } from 'vitest'

// What is seen is the journeys' to prove: computing the styles of every ancestor takes most of the time here.
configure({ defaultHidden: true, asyncUtilTimeout: 300_000 })
const quickly = { delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }

/** What the network answers to a request: `undefined` leaves it to the next. */
export type Answer = (request: { method: string; path: string; query: URLSearchParams }) => unknown

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

/** The whole console on a page of its own, at an address; only the network is not there, and is played by `answers`. */
export async function openApp(path: string, answers: readonly Answer[]) {
  const requests: string[] = []
  globalThis.fetch = async (input, init) => {
    const request = new Request(new URL(input instanceof Request ? input.url : input, location.origin), init)
    const { pathname, searchParams } = new URL(request.url)
    requests.push(`${request.method} ${pathname}`)
    for (const answer of answers) {
      const answered = await answer({ method: request.method, path: pathname, query: searchParams })
      if (answered instanceof Response) return answered
      if (answered !== undefined) return Response.json(answered)
    }
    throw new TypeError(`Nothing answers ${request.method} ${pathname}.`)
  }
  history.replaceState(null, '', path)
  // As after a reload: a router, a cache and a session of its own.
  vi.resetModules()
  const { App } = await import('../app.tsx')
  return { ...render(<App />), user: userEvent.setup(quickly), requests }
}
