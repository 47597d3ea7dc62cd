import { stepSize } from '../steps.ts'

/** Counts the small steps of long work, lets other work run between them, and ends it after the most that it may take. */
export type ReviewSteps = { readonly take: () => Generator<undefined, void>; readonly isSpent: () => boolean }

export function reviewSteps(most: number): ReviewSteps {
  let taken = 0
  return {
    *take() {
      if (++taken % stepSize === 0) yield
    },
    isSpent: () => taken >= most,
  }
}
