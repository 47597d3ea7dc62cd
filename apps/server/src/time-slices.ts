import { setImmediate } from 'node:timers/promises'

const sliceMs = 5

/** Lets other work run whenever a slice of time has passed: await `pause` between short steps. */
export function timeSlices(now = () => performance.now()) {
  let since = now()
  return {
    async pause() {
      if (now() - since < sliceMs) return
      await setImmediate()
      since = now()
    },
  }
}

/** Runs work that yields between short steps to its end. */
export async function runInSlices<T>(steps: Generator<undefined, T>, now?: () => number): Promise<T> {
  const slices = timeSlices(now)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await slices.pause()
  }
}
