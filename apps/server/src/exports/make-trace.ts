import type { Sent } from './leave-trace.ts'
import type { Page } from './read-pages.ts'

/** Counts what goes out, and leaves the trace of it once: before the end of the file, or where it breaks off. */
export function makeTrace(leave: (sent: Sent) => Promise<void>) {
  let rows = 0
  let left: Promise<void> | undefined
  return {
    async *of(pages: AsyncIterable<Page>) {
      for await (const page of pages) {
        yield page
        rows += page.length
      }
      left = leave({ rows, isWhole: true })
      await left
    },
    /** The reader has hung up or something has failed; the trace may be what failed. */
    async breakOff() {
      const isLeft = await left?.then(
        () => true,
        () => false,
      )
      if (!isLeft) await leave({ rows, isWhole: false })
    },
  }
}
