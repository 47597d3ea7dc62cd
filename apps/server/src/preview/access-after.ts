import type { AccessSide } from '@portcullis/contract/change-preview'
import { maxNamedCardholders } from '@portcullis/contract/calls/unit-difference'
import type { LeftOutByUnit } from '@portcullis/domain/decision/left-out'
import { type AccessChange, gainedAndLost } from '@portcullis/domain/explore/gained-and-lost'
import { openingHorizonMs } from '@portcullis/domain/explore/openings'
import type { Span } from '@portcullis/domain/time/zone'
import type { NamesAfter } from './names-after.ts'
import { itemsIn, type TriedItems, type TriedPolicy } from './try-change.ts'

/** Examining a pair takes up to 70 microseconds, and summing it up. */
const maxPairs = 50_000
const maxChanges = 50
const maxTimes = 14
const minuteMs = 60_000

type AccessAfter = {
  policy: TriedPolicy
  tried: readonly TriedItems[]
  names: NamesAfter
  leftOut: { before: LeftOutByUnit; after: LeftOutByUnit }
  now: number
}
type Access = { gained: AccessSide; lost: AccessSide }

/**
 * Which visible users gain and lose access at which visible doors, from the current minute on, in short steps; null if
 * there are too many pairs.
 */
export function* accessAfter({ policy, tried, names, leftOut, now }: AccessAfter): Generator<undefined, Access | null> {
  const at = Math.floor(now / minuteMs) * minuteMs
  const question = { items: itemsIn(tried), at, most: maxPairs, accounts: names.accounts, leftOut }
  const found = yield* gainedAndLost(policy, question)
  if (found === undefined) return null
  const how = { policy, names, horizon: at + openingHorizonMs }
  return { gained: yield* summaryOf(found.gained, how), lost: yield* summaryOf(found.lost, how) }
}

type Summary = Pick<AccessAfter, 'policy' | 'names'> & { horizon: number }

function* summaryOf(
  changed: readonly AccessChange[],
  { policy, names, horizon }: Summary,
): Generator<undefined, AccessSide> {
  const byDoor = Map.groupBy(changed, ({ door }) => door)
  const numberOf = numbers()
  const changesByKey = new Map<string, SameAtDoor[]>()
  for (const door of names.doors([...byDoor.keys()])) {
    const timeZone = zoneOf(policy, door._id)
    for (const same of sameAtDoor(byDoor.get(door._id) ?? [])) {
      yield
      const own = { ...same, door, timeZone }
      const key = keyOf(own, numberOf(same.times))
      changesByKey.set(key, [...(changesByKey.get(key) ?? []), own])
    }
  }
  const changes = [...changesByKey.values()]
  const listed = changes.toSorted(([a], [b]) => (b?.users.length ?? 0) - (a?.users.length ?? 0)).slice(0, maxChanges)
  return {
    cardholders: new Set(changed.map(({ user }) => user)).size,
    doors: byDoor.size,
    changes: listed.flatMap((same) => {
      const [first] = same
      if (!first) return []
      const { direction, timeZone, times, users } = first
      return {
        doors: same.map(({ door: { _id, name } }) => ({ _id, name })),
        direction,
        timeZone,
        cardholders: { total: users.length, items: names.users(users).slice(0, maxNamedCardholders) },
        times: times.slice(0, maxTimes).map((span) => isoSpan(span, horizon)),
        moreTimes: Math.max(0, times.length - maxTimes),
      }
    }),
    moreChanges: changes.length - listed.length,
  }
}

type SameTimes = Pick<AccessChange, 'direction' | 'times'> & { users: string[] }
type SameAtDoor = SameTimes & { door: { _id: string; name: string }; timeZone: string }

/** The users with the same times in the same direction. */
function sameAtDoor(changed: readonly AccessChange[]): SameTimes[] {
  const byDirection = Map.groupBy(changed, ({ direction }) => direction)
  return [...byDirection].flatMap(([direction, own]) =>
    [...Map.groupBy(own, ({ times }) => times)].map(([times, same]) => ({
      direction,
      times,
      users: same.map(({ user }) => user),
    })),
  )
}

/** Of more users the text would be long, and each door is listed alone. */
const maxUsersInKey = 1_000

/** The same for doors at which the same users have the same change. */
function keyOf({ door, timeZone, direction, users }: SameAtDoor, times: number) {
  return `${timeZone} ${direction} ${times} ${users.length > maxUsersInKey ? door._id : users.join(' ')}`
}

/** Equal periods are one object, which gets a number. */
function numbers() {
  const known = new Map<unknown, number>()
  return (times: readonly Span[]) => {
    const number = known.get(times) ?? known.size
    known.set(times, number)
    return number
  }
}

function zoneOf({ before, index }: TriedPolicy, id: string) {
  const site = (index.doors.get(id) ?? before.doors.get(id))?.site ?? ''
  return (index.sites.get(site) ?? before.sites.get(site))?.timeZone ?? 'UTC'
}

function isoSpan({ from, until }: Span, horizon: number) {
  return { from: new Date(from).toISOString(), until: until >= horizon ? null : new Date(until).toISOString() }
}
