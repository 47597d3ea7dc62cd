/** How a group spends its working days, in the time of the site of its gate. */
export type Turn = {
  group: string
  /** Where a turn begins, and ends where it has a reader on the way out. */
  gate: string
  inside: readonly string[]
  /** ISO weekdays on which it begins. */
  days: readonly number[]
  from: string
  /** On the next day where it is not after `from`. */
  until: string
  /** How far apart the habits of its people lie: some always come early, some late. */
  spreadMinutes: number
  /** How often they present their card between, on average. */
  visits: number
  /** The share of the group that comes. */
  attendance: number
  hasLunch?: true
  /** The newest and the oldest day on which it was so; absent: all of them. */
  daysAgo?: readonly [number, number]
}

export const weekdays = [1, 2, 3, 4, 5]
export const everyDay = [1, 2, 3, 4, 5, 6, 7]
