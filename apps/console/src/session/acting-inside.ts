import { useSyncExternalStore } from 'react'
import { currentAccountRef } from './account-ref.ts'

const place = 'portcullis-acting-inside'

/**
 * The account that a hyper user acts inside in this tab, and where they came from: the account in which they stand, and the
 * address to go back to. Why and since when, the server tells with who is signed in.
 */
export type ActingInside = { ref: string; name: string; from: string; back: string }

/** `time`: its hour has passed. `server`: the server no longer knows of it. */
export type ActingOver = 'stopped' | 'time' | 'server'

let kept = read()
let over: ActingOver = 'stopped'
const listeners = new Set<() => void>()

export function actingInside() {
  return kept
}

export function useActingInside() {
  return useSyncExternalStore(subscribe, actingInside)
}

/** Kept with the tab, so that it outlives a reload and reaches no other. */
export function beginActing(acting: ActingInside) {
  over = 'stopped'
  keep(acting)
}

/** Nothing is acted inside any more; answers what was, and what has ended it. */
export function endActing() {
  const ended = kept && { ...kept, over }
  keep(undefined)
  over = 'stopped'
  return ended
}

/** Says that it is over before it has been left: who shows it goes back. */
export function tellActingOver(why: ActingOver) {
  if (!kept) return
  over = why
  for (const handler of handlers) handler()
}

const handlers = new Set<() => void>()

export function whenActingOver(handler: () => void) {
  handlers.add(handler)
  return () => {
    handlers.delete(handler)
  }
}

/** Where requests stand: above the account whose screens are shown, where that one is acted inside. */
export function standingRef() {
  return assumedRef() === null ? currentAccountRef() : (kept?.from ?? null)
}

export function assumedRef() {
  return kept && kept.ref === currentAccountRef() ? kept.ref : null
}

function keep(acting: ActingInside | undefined) {
  kept = acting
  try {
    if (acting) sessionStorage.setItem(place, JSON.stringify(acting))
    else sessionStorage.removeItem(place)
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
  for (const listener of listeners) listener()
}

function read(): ActingInside | undefined {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(place) ?? 'null')
    return isActing(found) ? found : undefined
  } catch {
    return undefined
  }
}

// By hand: every page asks for this, and the sign-in page has no room for the library of schemas.
function isActing(found: unknown): found is ActingInside {
  if (typeof found !== 'object' || found === null) return false
  const { ref, name, from, back }: { [K in keyof ActingInside]?: unknown } = found
  return [ref, name, from, back].every((each) => typeof each === 'string') && String(back).startsWith('/')
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
