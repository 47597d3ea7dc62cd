import { stepSize } from '../steps.ts'

/** Counts the small steps of long work, lets other work run between them, and ends it after the most that it may take. */
export type ReviewSteps = {
  readonly take: (count?: number) => Generator<undefined, void>
  readonly isSpent: () => boolean
  /** The rest is left out. */
  readonly end: () => void
}

export function reviewSteps(most: number): ReviewSteps {
  let [taken, sinceYield, isEnded] = [0, 0, false]
  return {
    *take(count = 1) {
      taken += count
      sinceYield += count
      if (sinceYield < stepSize) return
      sinceYield = 0
      yield
    },
    isSpent: () => isEnded || taken >= most,
    end() {
      isEnded = true
    },
  }
}
