import { z } from 'zod'
import { midnightOf } from './day-of.ts'

const hourMs = 3_600_000
const outcomes = { 'access.granted': 'granted', 'access.denied': 'denied' } as const

const row = z.object({
  occurredAt: z.iso.datetime(),
  type: z.enum(['access.granted', 'access.denied']),
  count: z.int(),
})
type Row = z.output<typeof row>

type Counts = { granted: number; denied: number }
/** `usual`: the average of the same weekday in the last weeks; undefined without data. */
export type Hour = Counts & { start: string; usual: Counts | undefined }
export type Day = { hours: Hour[]; soFar: Counts; usualSoFar: Counts | undefined }

/** The hours of a day in the viewer's time zone, with the count and the usual count of each. */
export function hoursToday({
  today,
  before,
  now,
}: {
  today: readonly unknown[]
  before: readonly unknown[]
  now: Date
}): Day {
  const counted = z.array(row).parse(today)
  const usually = usualHours(z.array(row).parse(before), now)
  const hours = startsOf(now).map((start) => ({
    start: start.toISOString(),
    ...countsOf(counted.filter(({ occurredAt }) => Date.parse(occurredAt) === start.getTime())),
    usual: usually?.(start.getHours()),
  }))
  return { hours, soFar: countsOf(counted), usualSoFar: usually && sumOf(hours.map((hour) => usualUntil(hour, now))) }
}

/** A day has 23 or 25 hours when the clocks change. */
function startsOf(now: Date): Date[] {
  const [from, until] = [midnightOf(now).getTime(), midnightOf(now, 1).getTime()]
  return Array.from({ length: Math.ceil((until - from) / hourMs) }, (_, index) => new Date(from + index * hourMs))
}

/** The usual count of an hour, from the same weekdays since the first with data. */
function usualHours(rows: readonly Row[], now: Date) {
  const same = rows.filter(({ occurredAt }) => new Date(occurredAt).getDay() === now.getDay())
  const days = new Set(same.map(({ occurredAt }) => midnightOf(new Date(occurredAt)).getTime())).size
  if (days === 0) return undefined
  return (hour: number): Counts => {
    const { granted, denied } = countsOf(same.filter(({ occurredAt }) => new Date(occurredAt).getHours() === hour))
    return { granted: granted / days, denied: denied / days }
  }
}

/** The elapsed part of the current hour. */
function usualUntil({ start, usual }: Hour, now: Date): Counts {
  const part = Math.min(1, Math.max(0, (now.getTime() - Date.parse(start)) / hourMs))
  return { granted: (usual?.granted ?? 0) * part, denied: (usual?.denied ?? 0) * part }
}

function countsOf(rows: readonly Row[]): Counts {
  return sumOf(rows.map(({ type, count }) => ({ granted: 0, denied: 0, [outcomes[type]]: count })))
}

function sumOf(all: readonly Counts[]): Counts {
  return all.reduce((sum, { granted, denied }) => ({ granted: sum.granted + granted, denied: sum.denied + denied }), {
    granted: 0,
    denied: 0,
  })
}
