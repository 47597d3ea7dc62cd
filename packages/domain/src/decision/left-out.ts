import type { Credential, Rule } from '../policy.ts'

/** The items for which a unit has no room, by their ids. */
export type LeftOutOfUnit = {
  readonly doors: readonly string[]
  readonly schedules: readonly string[]
  /** The oldest credential that is left out: those created after it are, too. Null: all fit. */
  readonly oldestCredential: string | null
}

/** By unit; units with room for everything are missing. */
export type LeftOutByUnit = ReadonlyMap<string, LeftOutOfUnit>

export const nothingLeftOut: LeftOutByUnit = new Map()

export function isCredentialLeftOut(leftOut: LeftOutOfUnit | undefined, { _id }: Credential): boolean {
  const oldest = leftOut?.oldestCredential ?? null
  return oldest !== null && _id >= oldest
}

export function isScheduleLeftOut(leftOut: LeftOutOfUnit | undefined, { schedule }: Rule): boolean {
  return schedule !== null && leftOut !== undefined && leftOut.schedules.includes(schedule)
}
