import type { ChangePreview } from '@portcullis/contract/change-preview'
import { cleanup, configure, prettyDOM, render } from '@testing-library/react'
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event'
import { afterEach, vi } from 'vitest'
import { configuration, hyperUser, signedInAs } from './test-answers.ts'

// Visibility is proved by the journeys: computing the styles of every ancestor takes most of the time here.
configure({ defaultHidden: true, asyncUtilTimeout: 300_000, getElementError })
const quickly = { delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }

/** A request of the page. `body` is its JSON, parsed. */
export type AppRequest = { method: string; path: string; query: URLSearchParams; headers: Headers; body: unknown }

/** The network's answer to a request: `undefined` leaves it to the next function. */
export type Answer = (request: AppRequest) => unknown

// happy-dom has no fonts; elements that grow with their text wait for them.
Object.defineProperty(document, 'fonts', { value: new EventTarget() })

// Elements have no size here, so an open popover counts as hidden and cannot be focused: it is rendered in full for that.
const { warn } = console
vi.spyOn(console, 'warn').mockImplementation((...args: unknown[]) => {
  if (!String(args[0]).startsWith('[@mantine/hooks/use-focus-trap]')) warn(...args)
})

let unanswered: string[] = []

afterEach(() => {
  cleanup()
  // A test that failed while the connection was down leaves the next one connected.
  window.dispatchEvent(new Event('online'))
  localStorage.clear()
  sessionStorage.clear()
  const left = unanswered
  unanswered = []
  if (left.length > 0) throw new Error(`The test does not answer ${left.join(', ')}.`)
})

/** The console inside the account `main`, signed in as a hyper user or as another user; every request must have its answer. */
export async function openConsole(path: string, { as = hyperUser, answers = [], preview }: ConsoleOptions = {}) {
  const everythingFits = { access: null, noRoom: [], hasHiddenUnits: false, notExamined: 0 }
  const previewed = (request: AppRequest) =>
    typeof preview === 'function' ? preview(request) : (preview ?? everythingFits)
  return openApp(`/main/${path}`, [
    (request) => (isPreview(request) ? previewed(request) : undefined),
    ...answers,
    signedInAs(as),
    ({ method, path: requested }) => {
      unanswered.push(`${method} ${requested}`)
      return undefined
    },
  ])
}

const configured: Answer = ({ path }) => (path === '/config' ? configuration : undefined)

type ConsoleOptions = {
  as?: Parameters<typeof signedInAs>[0]
  answers?: readonly Answer[]
  /** The effects of each change that is tried; absent: everything has room. */
  preview?: ChangePreview | Answer
}

function isPreview({ query }: AppRequest) {
  return query.has('preview')
}

/** Prints the page only when the message is read: each look at a page that is still loading fails, and is tried again. */
function getElementError(message: string | null, container: Element) {
  const get = () => [message, prettyDOM(container)].filter(Boolean).join('\n\n')
  return Object.defineProperty(new Error(), 'message', { get, configurable: true })
}

/** The whole console on a page of its own, at a URL, without a network: `answers` replace it. */
export async function openApp(path: string, answers: readonly Answer[]) {
  const requests: AppRequest[] = []
  globalThis.fetch = async (input, init) => {
    const request = new Request(new URL(input instanceof Request ? input.url : input, location.origin), init)
    const { pathname, searchParams } = new URL(request.url)
    const text = await request.text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const sent = { method: request.method, path: pathname, query: searchParams, headers: request.headers, body }
    requests.push(sent)
    for (const answer of [...answers, configured]) {
      const answered = await answer(sent)
      if (answered instanceof Response) return answered
      if (answered !== undefined) return Response.json(answered)
    }
    throw new TypeError(`Nothing answers ${request.method} ${pathname}.`)
  }
  history.replaceState(null, '', path)
  // As after a reload: a router, a cache and a session of its own.
  vi.resetModules()
  const { App } = await import('../app.tsx')
  return {
    ...render(<App />),
    user: userEvent.setup(quickly),
    /** The requests to a path so far, in their order, without changes that are only tried. */
    sent: (method: string, to: string) =>
      requests.filter((each) => each.method === method && each.path === to && !isPreview(each)),
  }
}
