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
  const changes = names.doors([...byDoor.keys()]).flatMap((door) => {
    return Object.entries(Object.groupBy(byDoor.get(door._id) ?? [], ({ direction }) => direction)).flatMap(
      ([, inDirection]) =>
        [...Map.groupBy(inDirection, ({ times }) => times)].map(([times, own]) => ({
          door,
          direction: own[0]?.direction ?? 'both',
          times,
          users: own.map(({ user }) => user),
        })),
    )
  })
  const listed = changes.toSorted((a, b) => b.users.length - a.users.length).slice(0, maxChanges)
  return {
    cardholders: new Set(changed.map(({ user }) => user)).size,
    doors: byDoor.size,
    changes: listed.map(({ door: { _id, name }, direction, times, users }) => ({
      door: { _id, name },
      direction,
      timeZone: zoneOf(policy, _id),
      cardholders: { total: users.length, items: names.users(users).slice(0, maxNamedCardholders) },
      times: times.slice(0, maxTimes).map((span) => isoSpan(span, horizon)),
      moreTimes: Math.max(0, times.length - maxTimes),
    })),
    moreChanges: changes.length - listed.length,
  }
}

function zoneOf({ before, index }: TriedPolicy, id: string) {
  const site = (index.doors.get(id) ?? before.doors.get(id))?.site ?? ''
  return (index.sites.get(site) ?? before.sites.get(site))?.timeZone ?? 'UTC'
}

function isoSpan({ from, until }: Span, horizon: number) {
  return { from: new Date(from).toISOString(), until: until >= horizon ? null : new Date(until).toISOString() }
}
