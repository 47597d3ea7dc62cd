/** This many days from now at 21:00 UTC: after the working day. Null stays null. */
export function dayAt(now: Date, days: number | null | undefined): string | null {
  return days === null || days === undefined ? null : eveningAfter(now, days)
}

export function eveningAfter(now: Date, days: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, 21)).toISOString()
}
