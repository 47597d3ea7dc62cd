import type { AccessChange } from '@portcullis/contract/change-preview'
import { maxNamedCardholders } from '@portcullis/contract/calls/unit-difference'
import { type AccessChange as Changed, gainedAndLost } from '@portcullis/domain/explore/gained-and-lost'
import { openingHorizonMs } from '@portcullis/domain/explore/openings'
import type { Span } from '@portcullis/domain/time/zone'
import { runInSlices } from '../time-slices.ts'
import type { NamesAfter } from './names-after.ts'
import { itemsIn, type TriedItems, type TriedPolicy } from './try-change.ts'

/** Examining a pair takes some microseconds. */
const maxPairs = 300_000
const maxChanges = 50
const maxTimes = 14
const minuteMs = 60_000

type AccessAfter = { policy: TriedPolicy; tried: readonly TriedItems[]; names: NamesAfter; now: number }

/** Who gains and who loses access, from the current minute on; null if too many pairs of users and doors are concerned. */
export async function accessAfter({ policy, tried, names, now }: AccessAfter) {
  const at = Math.floor(now / minuteMs) * minuteMs
  const found = await runInSlices(gainedAndLost(policy, { items: itemsIn(tried), at, most: maxPairs }))
  if (found === undefined) return null
  const summary = (changed: readonly Changed[]) => summaryOf(changed, { policy, names, horizon: at + openingHorizonMs })
  return { gained: summary(found.gained), lost: summary(found.lost) }
}

type Summary = Pick<AccessAfter, 'policy' | 'names'> & { horizon: number }

function summaryOf(changed: readonly Changed[], { policy, names, horizon }: Summary): AccessChange {
  const byDoor = Map.groupBy(changed, ({ door }) => door)
  const visible = names.doors([...byDoor.keys()])
  const changes = visible.flatMap(({ _id, name }) => {
    const byTimes = Map.groupBy(byDoor.get(_id) ?? [], ({ times }) => times)
    return [...byTimes].map(([times, own]) => ({ door: { _id, name }, times, users: own.map(({ user }) => user) }))
  })
  const listed = changes.toSorted((a, b) => b.users.length - a.users.length).slice(0, maxChanges)
  return {
    cardholders: new Set(changed.map(({ user }) => user)).size,
    doors: byDoor.size,
    changes: listed.map(({ door, times, users }) => ({
      door,
      timeZone: zoneOf(policy, door._id),
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
