import { z } from 'zod'
import type { Estate } from './estate.ts'

/** The outcome of an attack: a sentence for the table, and the faults that must never happen. */
export const outcome = z.object({ happened: z.string(), faults: z.array(z.string()) })
export type Outcome = z.output<typeof outcome>

export type Attack = {
  name: string
  /** What is sent, and how often. */
  sends: string
  run: (estate: Estate) => Promise<Outcome>
}

/** How long an attack repeats its requests, in milliseconds. */
export const attackMs = 5_000

/** Counts answers by a word such as their status; the sentence names the most frequent first. */
export class AnswerCounts {
  readonly #counts = new Map<string, number>()

  add(word: string | number) {
    this.#counts.set(`${word}`, (this.#counts.get(`${word}`) ?? 0) + 1)
  }

  sentence() {
    const sorted = [...this.#counts].toSorted((a, b) => b[1] - a[1])
    return sorted.map(([word, count]) => `${count}x ${word}`).join(', ') || 'nothing'
  }

  /** Faults: words that are not among the expected ones. */
  unexpected(expected: readonly (string | number)[]) {
    const expectedWords = new Set(expected.map(String))
    return [...this.#counts.keys()].filter((word) => !expectedWords.has(word))
  }

  outcome(expected: readonly (string | number)[]): Outcome {
    return { happened: this.sentence(), faults: this.unexpected(expected).map((word) => `answered ${word}`) }
  }
}

/** The status in the first line of a raw answer; `closed` if there was none. */
export function statusIn(answer: string) {
  return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'closed'
}
