import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { z } from 'zod'

const placesSchema = z.record(z.string(), z.number())

const name = 'scroll'
const longestMs = 10_000
/** Input by which users scroll themselves. */
const moves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Back, forward and a reload restore the scroll position, also when rows arrive later: the router scrolls at once, when
 * the page may still be too short for it.
 */
export function useScrollPosition() {
  const router = useRouter()
  useLayoutEffect(() => keepPlaces(router), [router])
}

let positions: Map<string, number> | undefined

function keepPlaces(router: AnyRouter) {
  positions ??= new Map(Object.entries(readStored()))
  const places = positions
  let stop = () => {}

  function restorePosition(place: Place) {
    stop()
    const topPx = places.get(keyOf(place)) ?? 0
    if (topPx > window.scrollY + 1) stop = reach(topPx)
  }

  function leavePage() {
    places.set(keyOf(router.state.location), window.scrollY)
    keep([...places].slice(-maxPlaces))
  }

  // The console may have waited for its configuration until after the router was ready.
  restorePosition(router.state.location)
  const ends = [
    router.subscribe('onBeforeLoad', ({ fromLocation }) => {
      stop()
      if (fromLocation) places.set(keyOf(fromLocation), window.scrollY)
    }),
    router.subscribe('onRendered', ({ toLocation }) => restorePosition(toLocation)),
  ]
  window.addEventListener('pagehide', leavePage)
  return () => {
    stop()
    for (const end of ends) end()
    window.removeEventListener('pagehide', leavePage)
  }
}

const maxPlaces = 50

type Place = { href: string; state: { __TSR_key?: string } }

/** One entry of the browser's history. */
function keyOf({ href, state }: Place) {
  return state.__TSR_key ?? href
}

/** Scrolls as the page grows, until it reaches the saved position or the user scrolls. */
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

function readStored() {
  try {
    return placesSchema.parse(JSON.parse(sessionStorage.getItem(name) ?? '{}'))
  } catch {
    return {}
  }
}

function keep(places: readonly [string, number][]) {
  try {
    sessionStorage.setItem(name, JSON.stringify(Object.fromEntries(places)))
  } catch {
    // The page then begins at its top after a reload.
  }
}
