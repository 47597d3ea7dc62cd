import { text } from '../text/text.ts'
import styles from './countdown.module.css'
import { percentLeft, secondsLeft } from './percent-left.ts'
import type { Request } from './request.ts'
import { useSyncExternalStore } from 'react'
import { serverNow } from '../session/server-clock.ts'

const radius = 16
const around = 2 * Math.PI * radius

/** The time left to decide, as a ring that empties, with the seconds in its middle. */
export function Countdown({ request }: { request: Request }) {
  const now = useSecond()
  const percent = percentLeft(request, now)
  const seconds = secondsLeft(request, now)
  const words = text('remote.left', { count: seconds })
  return (
    <div
      className={styles.ring}
      data-hurry={percent <= 25 || undefined}
      role="progressbar"
      aria-label={words}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={words}
    >
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <circle className={styles.track} cx="20" cy="20" r={radius} />
        <circle
          className={styles.left}
          cx="20"
          cy="20"
          r={radius}
          strokeDasharray={around}
          strokeDashoffset={around * (1 - percent / 100)}
        />
      </svg>
      <span aria-hidden="true">{seconds}</span>
    </div>
  )
}

const everyMs = 1_000
let now = serverNow()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The server's time, updated every second while it is shown. */
function useSecond(): number {
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
