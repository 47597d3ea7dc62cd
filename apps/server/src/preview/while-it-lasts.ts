import type { PolicyIndex } from '@portcullis/domain/decision/policy-index'
import { AppError } from '../errors/app-error.ts'
import { whileNotOver } from '../ends-within.ts'
import type { IdleWork } from '../policy/followed-tree.ts'
import type { Policies } from '../policy/policies.ts'
import { timeSlices } from '../time-slices.ts'

type WhileItLasts<T> = {
  account: { key: number; root: number }
  signal: AbortSignal | undefined
  hasTime: () => boolean
  steps: (index: PolicyIndex) => Generator<undefined, T>
}

const turnMs = 20
const maxBegun = 5

/**
 * Runs steps on the latest policy of an account's tree in short turns, between which it may change; then they begin again.
 * Throws `unavailable` if it changes too often, or there is no more time.
 */
export async function whileItLasts<T>(
  policies: Pick<Policies, 'latestOfAccount' | 'whileIdle'>,
  { account, signal, hasTime, steps }: WhileItLasts<T>,
): Promise<T> {
  let running: { state: object; work: Generator<undefined, T> } | undefined
  let begun = 0
  const work: IdleWork<{ value: T } | undefined>['work'] = async ({ index, state }, isOtherWaiting) => {
    if (running?.state !== state) {
      if (++begun > maxBegun) throw new AppError('unavailable')
      running = { state, work: steps(index) }
    }
    return runUntil(running.work, turnEnd(isOtherWaiting))
  }
  const throwIfOver = () => {
    signal?.throwIfAborted()
    if (!hasTime()) throw new AppError('unavailable')
  }
  await whileNotOver(policies.latestOfAccount(account.key), throwIfOver)
  for (;;) {
    const done = await policies.whileIdle(account.root, { work, throwIfOver })
    if (done) return done.value
  }
}

function turnEnd(isOtherWaiting: () => boolean) {
  const end = performance.now() + turnMs
  return () => performance.now() >= end || isOtherWaiting()
}

/** Undefined if the work needs more time. */
async function runUntil<T>(work: Generator<undefined, T>, isOver: () => boolean): Promise<{ value: T } | undefined> {
  for (const slices = timeSlices(); !isOver(); await slices.pause()) {
    const step = work.next()
    if (step.done) return { value: step.value }
  }
  return undefined
}
