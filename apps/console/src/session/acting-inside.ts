import { useSyncExternalStore } from 'react'
import { currentAccountRef } from './account-ref.ts'

const place = 'portcullis-acting-inside'

/**
 * The account that a hyper user acts inside in this tab, and where they came from: their own account, and the
 * address to return to. The server returns why and since when with the signed-in user.
 */
export type ActingInside = { ref: string; name: string; from: string; back: string }

/** `time`: its hour has passed. `server`: the server no longer knows of it. */
export type ActingEnd = 'stopped' | 'time' | 'server'

let current = read()
let over: ActingEnd = 'stopped'
const listeners = new Set<() => void>()

export function actingInside() {
  return current
}

export function useActingInside() {
  return useSyncExternalStore(subscribe, actingInside)
}

/** Stored in the tab, so that it survives a reload and does not reach other tabs. */
export function beginActing(acting: ActingInside) {
  over = 'stopped'
  keep(acting)
}

/** Stops acting inside an account; returns the account left, and why it ended. */
export function endActing() {
  const ended = current && { ...current, over }
  keep(undefined)
  over = 'stopped'
  return ended
}

/** Reports the end before the user has left the account: the banner then returns them. */
export function notifyActingEnded(why: ActingEnd) {
  if (!current) return
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

/**
 * The account that the user acted inside until just now, and their own account: until another account is shown, a link
 * of the account that they have left, pressed at that moment, leads to the same screen of their own account.
 */
let left: ActingInside | undefined

export function accountLeft() {
  return left
}

export function noteLeft(acting: ActingInside | undefined) {
  left = acting
}

/** The screens of this account are shown: a link to another one is meant from here on. */
export function reachAccount(ref: string) {
  if (left?.ref !== ref) left = undefined
}

/** The account that requests name: above the visible one, where the user acts inside that. */
export function standingRef() {
  return assumedRef() === null ? currentAccountRef() : (current?.from ?? null)
}

export function assumedRef() {
  return current && current.ref === currentAccountRef() ? current.ref : null
}

function keep(acting: ActingInside | undefined) {
  current = acting
  try {
    if (acting) sessionStorage.setItem(place, JSON.stringify(acting))
    else sessionStorage.removeItem(place)
  } catch {
    // A browser without storage forgets it with the page.
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

// Checked by hand: every page needs this, and the sign-in page has no room for the schema library.
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
