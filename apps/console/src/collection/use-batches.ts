import { useEffect, useRef } from 'react'

/** What arrives within this time is taken together: a row is on the screen at once, and a flood does not freeze it. */
const batchMs = 60
const recentMs = 10_000

/** Collects what arrives one by one and hands it on in batches; `recent` answers what came in the last ten seconds. */
export function useBatches<T>(onBatch: (batch: readonly T[]) => void) {
  const waiting = useRef<T[]>([])
  const kept = useRef<{ at: number; item: T }[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(onBatch)

  useEffect(() => {
    latest.current = onBatch
  })
  useEffect(() => () => clearTimeout(timer.current), [])

  function handOn() {
    timer.current = undefined
    latest.current(waiting.current.splice(0))
  }

  return {
    add(item: T) {
      const at = Date.now()
      waiting.current.push(item)
      kept.current = [...kept.current.filter((known) => known.at > at - recentMs), { at, item }]
      timer.current ??= setTimeout(handOn, batchMs)
    },
    recent: () => kept.current.map(({ item }) => item),
  }
}
