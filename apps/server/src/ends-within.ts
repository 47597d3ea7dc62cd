import { setTimeout as delay } from 'node:timers/promises'

/** Whether work ends within this time. Throws what the work throws until then. */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const ended = new AbortController()
  const timer = delay(ms, false, { signal: ended.signal })
  return Promise.race([work.then(() => true), timer]).finally(() => ended.abort())
}

const checkMs = 100

/** Waits for work. `throwIfOver` is called often meanwhile: what it throws ends the wait. */
export async function whileNotOver<T>(work: Promise<T>, throwIfOver: () => void): Promise<T> {
  while (!(await endsWithin(work, checkMs))) throwIfOver()
  return work
}
