import { useSyncExternalStore } from 'react'
import { serverNow } from '../session/server-clock.ts'

const everyMs = 1_000
let now = serverNow()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The server's time, moving on every second while somebody looks at it. */
export function useSecond(): number {
  return useSyncExternalStore(watch, () => now)
}

function watch(onTick: () => void) {
  listeners.add(onTick)
  if (timer === undefined) {
    timer = setInterval(tick, everyMs)
    tick()
  }
  return () => {
    listeners.delete(onTick)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick() {
  now = serverNow()
  for (const listener of listeners) listener()
}
