import { errorBody } from '@portcullis/contract/errors/error-body'
import fc from 'fast-check'
import { AnswerCounts, type Outcome } from '../attack.ts'
import type { Estate } from '../estate.ts'
import type { Answer } from '../request.ts'

export type Fuzzing = {
  name: string
  sends: string
  /** The share of all cases. */
  share: number
  run: (estate: Estate, options: { cases: number; seed: number }) => Promise<Outcome>
}

type EachCase<T> = { arbitrary: fc.Arbitrary<T>; cases: number; seed: number; atOnce: number }

const batch = 200

/** Tries random cases, some at once; the same seed gives the same cases in the same order. */
export async function eachCase<T>(
  { arbitrary, cases, seed, atOnce }: EachCase<T>,
  attempt: (value: T, line: number) => Promise<void>,
) {
  const queue = samples({ arbitrary, cases, seed })
  const lines = Array.from({ length: atOnce }, async (_, line) => {
    for (const value of queue) await attempt(value, line)
  })
  await Promise.all(lines)
}

function* samples<T>({ arbitrary, cases, seed }: Omit<EachCase<T>, 'atOnce'>) {
  for (let from = 0; from < cases; from += batch) {
    yield* fc.sample(arbitrary, { seed: seed + from, numRuns: Math.min(batch, cases - from) })
  }
}

const maxFaults = 12

/** Counts the answers, and collects the faults that must never happen. */
export class Findings {
  readonly counts = new AnswerCounts()
  readonly #faults = new Map<string, string>()

  /** The same fault at the same place is reported once, with its first case. */
  fault(where: string, what: string) {
    const key = `${where}: ${what.slice(0, 40)}`
    if (!this.#faults.has(key)) this.#faults.set(key, `${where}: ${what}`)
  }

  /** Judges an answer of the server: a failure must be a documented error, and not much longer than the request. */
  judge(where: string, { answer, sent }: { answer: Answer; sent: unknown }) {
    const { status, text, sentBytes } = answer
    this.counts.add(status)
    if (status < 400) return
    const about = `${status} to ${JSON.stringify(sent)?.slice(0, 400)}`
    if (status >= 500 && status !== 503) this.fault(where, `answered ${about}: ${text.slice(0, 200)}`)
    if (!errorBody.safeParse(jsonIn(text)).success) this.fault(where, `not our error: ${about}: ${text.slice(0, 200)}`)
    if (text.length > 8_000 + 3 * sentBytes) this.fault(where, `${text.length} bytes answer ${sentBytes}: ${about}`)
  }

  outcome(): Outcome {
    const faults = [...this.#faults.values()]
    const further = faults.length > maxFaults ? [`${faults.length - maxFaults} further faults`] : []
    return { happened: this.counts.sentence(), faults: [...faults.slice(0, maxFaults), ...further] }
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
