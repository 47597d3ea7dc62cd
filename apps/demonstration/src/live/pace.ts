/** The milliseconds until the next user arrives, in and outside working hours. */
const byDay = { least: 2_500, most: 6_000 } as const
const byNight = { least: 9_000, most: 16_000 } as const

/** The current rate, between those of night and day, weighted by the share of sites in working hours. */
export function paceAt(at: number, timeZones: readonly string[]): { least: number; most: number } {
  const busy = timeZones.map((zone) => busyness(Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)))
  const share = busy.reduce((sum, one) => sum + one, 0) / Math.max(1, busy.length)
  const between = (night: number, day: number) => Math.round(night + (day - night) * share)
  return { least: between(byNight.least, byDay.least), most: between(byNight.most, byDay.most) }
}

/** From 0 at night to 1 on a working morning, by the local clock. */
function busyness({ dayOfWeek, hour }: Temporal.ZonedDateTime) {
  const day = [0, 0, 0, 0.1, 0.2, 0.6, 0.9, 1, 1, 0.9, 0.8, 0.9, 1, 0.9, 0.8, 0.9, 1, 0.9, 0.5, 0.3, 0.2, 0.2, 0.2, 0.1]
  return (day[hour] ?? 0) * (dayOfWeek > 5 ? 0.35 : 1)
}
