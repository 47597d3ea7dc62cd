import type { AnyRouter } from '@tanstack/react-router'

const name = 'scroll'
const longestMs = 10_000
/** What people do who want to be elsewhere on the page than where they were. */
const moves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Back, forward and a reload lead to where one was on the page, also when its rows arrive only then: the router scrolls at once, when
 * the page may still be too short for it.
 */
export function keepScroll(router: AnyRouter) {
  const places = new Map(kept())
  let stop = () => {}

  router.subscribe('onBeforeLoad', ({ fromLocation }) => {
    stop()
    if (fromLocation) places.set(keyOf(fromLocation), window.scrollY)
  })
  router.subscribe('onRendered', ({ toLocation }) => {
    stop()
    const topPx = places.get(keyOf(toLocation)) ?? 0
    if (topPx > window.scrollY + 1) stop = reach(topPx)
  })
  window.addEventListener('pagehide', () => {
    places.set(keyOf(router.state.location), window.scrollY)
    keep([...places].slice(-mostPlaces))
  })
}

const mostPlaces = 50

type Place = { href: string; state: { __TSR_key?: string } }

/** One entry of the browser's history. */
function keyOf({ href, state }: Place) {
  return state.__TSR_key ?? href
}

/** Scrolls as far as the page goes whenever it grows, until it goes far enough, or somebody scrolls by themselves. */
function reach(topPx: number) {
  const ended = new AbortController()
  const stop = () => ended.abort()
  const observer = new ResizeObserver(() => {
    window.scrollTo({ top: topPx, behavior: 'instant' })
    if (window.scrollY >= topPx - 1) stop()
  })
  observer.observe(document.body)
  const timer = setTimeout(stop, longestMs)
  for (const move of moves) window.addEventListener(move, stop, { capture: true, signal: ended.signal })
  ended.signal.addEventListener('abort', () => {
    observer.disconnect()
    clearTimeout(timer)
  })
  return stop
}

// By hand: every page asks for this, and the sign-in page has no room for the library of schemas.
function kept(): [string, number][] {
  try {
    const places: unknown = JSON.parse(sessionStorage.getItem(name) ?? '{}')
    return Object.entries(places ?? {}).flatMap(([key, topPx]) => (typeof topPx === 'number' ? [[key, topPx]] : []))
  } catch {
    return []
  }
}

function keep(places: readonly [string, number][]) {
  try {
    sessionStorage.setItem(name, JSON.stringify(Object.fromEntries(places)))
  } catch {
    // The page then begins at its top after a reload.
  }
}
