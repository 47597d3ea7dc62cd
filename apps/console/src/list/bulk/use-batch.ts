import { useEffect, useRef, useState } from 'react'
import { idOf } from '../../item/item-parts.ts'
import { type Outcome, runBatch } from './run-batch.ts'

type UseBatchInput<T> = { items: readonly T[]; run: (item: T) => Promise<string | undefined> }

/** Enough to be fast, and few enough not to delay other users. */
const atOnce = 4
const waiting: Outcome = { state: 'waiting' }

/** Acts on many items and keeps the result of each; failed ones can be started again. */
export function useBatch<T>({ items, run }: UseBatchInput<T>) {
  const [phase, setPhase] = useState<'asking' | 'running' | 'over'>('asking')
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const abort = useRef<AbortController>(undefined)

  useEffect(() => () => abort.current?.abort(), [])

  function start(items: readonly T[]) {
    const controller = new AbortController()
    abort.current = controller
    setPhase('running')
    const onOutcome = (item: T, outcome: Outcome) => setOutcomes((current) => new Map(current).set(idOf(item), outcome))
    void runBatch(items, { run, atOnce, signal: controller.signal, onOutcome }).then(() => setPhase('over'))
  }

  const outcomeOf = (item: T) => outcomes.get(idOf(item)) ?? waiting
  const count = (state: Outcome['state']) => items.filter((item) => outcomeOf(item).state === state).length
  const [done, failed, cancelled] = [count('done'), count('failed'), count('cancelled')]

  return {
    items,
    phase,
    start,
    stop: () => abort.current?.abort(),
    outcomeOf,
    counts: { done, failed, cancelled, over: done + failed + cancelled },
    undone: (...states: Outcome['state'][]) => items.filter((item) => states.includes(outcomeOf(item).state)),
  }
}
