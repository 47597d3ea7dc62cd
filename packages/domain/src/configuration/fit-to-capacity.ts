import type { ConfigSize } from './config-size.ts'
import { sortInSteps } from './sort-in-steps.ts'
import type { UnitAccess, UnitConfig, UnitCredential, UnitHolder } from './unit-config.ts'

/** The parts of a configuration that depend on its rules. Entries, here and below, are sorted by key. */
export type ConfigTail = {
  readonly head: Omit<UnitConfig, 'holders' | 'credentials' | 'access'>
  readonly access: readonly (readonly [string, UnitAccess])[]
}

/** A configuration whose longest parts are not yet one object. */
export type ConfigParts = ConfigTail & {
  readonly holders: readonly (readonly [string, UnitHolder])[]
  readonly credentials: readonly (readonly [string, UnitCredential])[]
}

/** The items for which a unit has no room. */
export type LeftOut = {
  /** Ids; their allow rules grant nothing, and their deny rules apply at all times. */
  readonly schedules: readonly string[]
  /** How many; a PIN that is used alone and after a card counts twice. */
  readonly credentials: number
  /** The id of the oldest of them; null if all fit. */
  readonly oldestCredential: string | null
  /** The cardholders with at least one of these credentials, by membership key. */
  readonly holders: readonly (readonly [string, UnitHolder])[]
}

const nothing: LeftOut = { schedules: [], credentials: 0, oldestCredential: null, holders: [] }

/**
 * Leaves out the credentials and schedules that were created last (ids begin with a time), in short steps. The unit would
 * refuse a configuration that is too large, with all changes that end access. What is missing gives no user access.
 */
export function* fitToCapacity(
  parts: ConfigParts,
  { needs, capacity: most }: { needs: ConfigSize; capacity: ConfigSize | null },
): Generator<undefined, ConfigParts & { leftOut: LeftOut }> {
  // Doors that do not fit are left out before.
  if (most === null || fits({ ...needs, doors: 0 }, most)) return { ...parts, leftOut: nothing }
  const { head, access, holders, credentials } = parts
  const schedules = Object.entries(head.schedules)
  const newest = yield* sortInSteps([...credentials], byId)
  const missing = new Set(newest.slice(most.credentials).map(([key]) => key))
  const kept = credentials.filter(([key]) => !missing.has(key))
  const holdersOf = (own: ConfigParts['credentials']) => {
    const keys = new Set(own.map(([, { holder }]) => holder))
    return holders.filter(([key]) => keys.has(key))
  }
  return {
    head: { ...head, schedules: Object.fromEntries(schedules.slice(0, most.schedules)) },
    access,
    holders: holdersOf(kept),
    credentials: kept,
    leftOut: {
      schedules: schedules.slice(most.schedules).map(([id]) => id),
      credentials: missing.size,
      oldestCredential: newest[most.credentials]?.[1]._id ?? null,
      holders: holdersOf(newest.slice(most.credentials)),
    },
  }
}

export function fits(needs: ConfigSize, most: ConfigSize | null): boolean {
  if (most === null) return true
  const { doors, credentials, schedules } = most
  return needs.doors <= doors && needs.credentials <= credentials && needs.schedules <= schedules
}

type Entry = readonly [string, UnitCredential]

function byId([oneKey, one]: Entry, [otherKey, other]: Entry) {
  if (one._id !== other._id) return one._id < other._id ? -1 : 1
  return oneKey < otherKey ? -1 : 1
}
