import type { AccessSide } from '@portcullis/contract/change-preview'
import { maxNamedCardholders } from '@portcullis/contract/calls/unit-difference'
import type { LeftOutByUnit } from '@portcullis/domain/decision/left-out'
import { type AccessChange, gainedAndLost } from '@portcullis/domain/explore/gained-and-lost'
import { openingHorizonMs } from '@portcullis/domain/explore/openings'
import type { Span } from '@portcullis/domain/time/zone'
import type { NamesAfter } from './names-after.ts'
import { itemsIn, type TriedItems, type TriedPolicy } from './try-change.ts'

/** Examining a pair takes up to 20 microseconds. */
const maxPairs = 100_000
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
  const summary = (changed: readonly AccessChange[]) =>
    summaryOf(changed, { policy, names, horizon: at + openingHorizonMs })
  return { gained: summary(found.gained), lost: summary(found.lost) }
}

type Summary = Pick<AccessAfter, 'policy' | 'names'> & { horizon: number }

function summaryOf(changed: readonly AccessChange[], { policy, names, horizon }: Summary): AccessSide {
  const byDoor = Map.groupBy(changed, ({ door }) => door)
  const visible = names.doors([...byDoor.keys()])
  const atDoors = visible.flatMap((door) =>
    sameAtDoor(byDoor.get(door._id) ?? []).map((same) => ({ ...same, door, timeZone: zoneOf(policy, door._id) })),
  )
  const changes = [...Map.groupBy(atDoors, keyOf).values()]
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

type SameAtDoor = Pick<AccessChange, 'direction' | 'times'> & { users: string[] }

/** The users with the same times in the same direction. */
function sameAtDoor(changed: readonly AccessChange[]): SameAtDoor[] {
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
function keyOf({ door, timeZone, direction, times, users }: SameAtDoor & { door: { _id: string }; timeZone: string }) {
  const who = users.length > maxUsersInKey ? door._id : users.join(' ')
  return `${timeZone} ${direction} ${JSON.stringify(times)} ${who}`
}

function zoneOf({ before, index }: TriedPolicy, id: string) {
  const site = (index.doors.get(id) ?? before.doors.get(id))?.site ?? ''
  return (index.sites.get(site) ?? before.sites.get(site))?.timeZone ?? 'UTC'
}

function isoSpan({ from, until }: Span, horizon: number) {
  return { from: new Date(from).toISOString(), until: until >= horizon ? null : new Date(until).toISOString() }
}
