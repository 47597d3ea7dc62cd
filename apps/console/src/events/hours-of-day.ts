const hourMs = 3_600_000

export type Hour = { start: string; granted: number; denied: number }

type Row = { occurredAt?: unknown; outcome?: unknown; count: number }

/** The last 24 hours, the current one last, each with its counts, also where they are zero. */
export function hoursOfDay(rows: readonly Row[], now: Date): Hour[] {
  const running = Math.floor(now.getTime() / hourMs) * hourMs
  return Array.from({ length: 24 }, (_, index) => {
    const start = new Date(running - (23 - index) * hourMs)
    const inHour = rows.filter(({ occurredAt }) => isWithin(occurredAt, start))
    return { start: start.toISOString(), granted: counted(inHour, 'granted'), denied: counted(inHour, 'denied') }
  })
}

/** Time zones that are off by half an hour begin their hours within ours. */
function isWithin(moment: unknown, start: Date) {
  if (typeof moment !== 'string') return false
  const ms = new Date(moment).getTime() - start.getTime()
  return ms >= 0 && ms < hourMs
}

function counted(rows: readonly Row[], outcome: string) {
  return rows.reduce((total, row) => (row.outcome === outcome ? total + row.count : total), 0)
}
