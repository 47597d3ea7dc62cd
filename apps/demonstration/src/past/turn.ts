/** The working days of a group, in the time zone of its site. */
export type Turn = {
  group: string
  /** The door at which a turn begins; it also ends there if the door has an exit reader. */
  gate: string
  inside: readonly string[]
  /** The ISO weekdays on which it begins. */
  days: readonly number[]
  from: string
  /** The next day if it is not after `from`. */
  until: string
  /** The spread of the habits of its users: some always come early, some late. */
  spreadMinutes: number
  /** The average number of times that they present their card in between. */
  visits: number
  /** The share of the group that is present. */
  attendance: number
  hasLunch?: true
  /** The newest and the oldest day of this habit; undefined for all days. */
  daysAgo?: readonly [number, number]
}

export const weekdays = [1, 2, 3, 4, 5]
export const everyDay = [1, 2, 3, 4, 5, 6, 7]
