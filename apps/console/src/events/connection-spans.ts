/** A report that a controller was connected or lost. */
export type ConnectionReport = { type: string; occurredAt: string }

/** A period in which a controller was connected or not; `unknown` before the first report. Epoch milliseconds. */
export type ConnectionSpan = { state: 'online' | 'offline' | 'unknown'; from: number; until: number }

/** The connection of a controller in a period, without gaps: from its reports in any order, also earlier ones. */
export function connectionSpans(
  reports: readonly ConnectionReport[],
  { from, until }: { from: number; until: number },
): ConnectionSpan[] {
  const changes = reports
    .map(({ type, occurredAt }) => ({ state: stateOf(type), at: Date.parse(occurredAt) }))
    .toSorted((a, b) => a.at - b.at)
  const spans: ConnectionSpan[] = [{ state: 'unknown', from, until }]
  for (const { state, at } of changes) {
    const last = spans.at(-1)
    if (!last || at >= until || last.state === state) continue
    if (at <= from) last.state = state
    else {
      last.until = at
      spans.push({ state, from: at, until })
    }
  }
  return spans
}

/** The days of a period in the viewer's time zone; the first and the last one may be parts. Epoch milliseconds. */
export function daysOf({ from, until }: { from: number; until: number }): { from: number; until: number }[] {
  const days = []
  for (let start = from; start < until; ) {
    const day = new Date(start)
    const end = Math.min(until, new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime())
    days.push({ from: start, until: end })
    start = end
  }
  return days
}

function stateOf(type: string): ConnectionSpan['state'] {
  return type === 'unit.online' ? 'online' : 'offline'
}
