/** How many items work in steps handles between two interruptions. */
export const stepSize = 250

/** Runs work that yields between short steps without an interruption. */
export function withoutInterruption<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
