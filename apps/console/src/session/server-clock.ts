/** The server's time by one answer: its `Date` in whole seconds, and the browser's time around it, in milliseconds. */
export type ClockSample = { serverSecond: number; sentAt: number; answeredAt: number }

/** How far the server's clock may be ahead of the browser's, in milliseconds. */
export type ClockOffset = { least: number; most: number }

/**
 * The difference of the clocks after one more answer. Each allows a range of a little over a second, and what all
 * of them allow is narrower; where they contradict each other a clock was set, and the last one counts.
 */
export function narrowed(
  earlier: ClockOffset | undefined,
  { serverSecond, sentAt, answeredAt }: ClockSample,
): ClockOffset {
  const least = serverSecond - answeredAt
  const most = serverSecond + 1_000 - sentAt
  if (!earlier) return { least, most }
  const both = { least: Math.max(earlier.least, least), most: Math.min(earlier.most, most) }
  return both.least <= both.most ? both : { least, most }
}

let offset: ClockOffset | undefined

export function noteServerClock(date: string | null, sentAt: number) {
  const serverSecond = Date.parse(date ?? '')
  if (Number.isNaN(serverSecond)) return
  offset = narrowed(offset, { serverSecond, sentAt, answeredAt: Date.now() })
}

/** The time on the server, in epoch milliseconds: deadlines of the server follow its clock. */
export function serverNow(): number {
  return Date.now() + (offset ? (offset.least + offset.most) / 2 : 0)
}
