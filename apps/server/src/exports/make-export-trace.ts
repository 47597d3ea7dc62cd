import type { Sent } from './record-export.ts'
import type { Page } from './read-pages.ts'

/** Counts the rows sent, and stores the trace once: before the end of the file, or when the export is aborted. */
export function makeExportTrace(leave: (sent: Sent) => Promise<void>) {
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
    /** The client disconnected or something failed, which may be the trace itself. */
    async breakOff() {
      const isLeft = await left?.then(
        () => true,
        () => false,
      )
      if (!isLeft) await leave({ rows, isWhole: false })
    },
  }
}
