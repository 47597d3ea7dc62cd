import { useSyncExternalStore } from 'react'

const minuteMs = 60_000
let now = new Date()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The current time, updated every minute: one clock for the whole page. */
export function useMinute(): Date {
  return useSyncExternalStore(watchClock, () => now)
}

/** Updates the current time at once, after an action that depends on it. */
export function lookAtClock() {
  now = new Date()
  for (const listener of listeners) listener()
}

function watchClock(onTick: () => void) {
  if (listeners.size === 0) now = new Date()
  listeners.add(onTick)
  timer ??= setInterval(lookAtClock, minuteMs)
  return () => {
    listeners.delete(onTick)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
