import { rulesForUserAtDoor } from '../decision/applying-rules.ts'
import type { LeftOutByUnit } from '../decision/left-out.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import type { Direction, RuleDirection } from '../policy.ts'
import { areSameSpans, subtractSpans } from '../time/spans.ts'
import type { Span } from '../time/zone.ts'
import { openingFinder, type RuleSet } from './openings.ts'
import { type ChangedItem, pairsReached, type PolicyChange } from './pairs-reached.ts'

/** The periods in which a user can open a door only after the change, or only before it. Equal periods are one object. */
export type AccessChange = {
  readonly user: string
  readonly door: string
  /** `both`: the same periods in both directions. */
  readonly direction: RuleDirection
  readonly times: readonly Span[]
}
export type GainedAndLost = { readonly gained: readonly AccessChange[]; readonly lost: readonly AccessChange[] }

type Question = {
  readonly items: readonly ChangedItem[]
  /** Epoch milliseconds. */
  readonly at: number
  /** How many pairs of a user and a door are examined at most. */
  readonly most?: number
  /** What the units have no room for, before and after; absent: everything fits. */
  readonly leftOut?: { readonly before: LeftOutByUnit; readonly after: LeftOutByUnit }
  /** The accounts whose users and doors count; absent: all. */
  readonly accounts?: ReadonlySet<string>
}

/**
 * Who can open which doors at more or fewer times after a change of these items, from an instant on for eight weeks. It is the
 * difference between what the explorer says before and after. In short steps. Undefined if it concerns too many pairs, or
 * an account.
 */
export function* gainedAndLost(
  change: PolicyChange,
  { items, at, most = Number.POSITIVE_INFINITY, accounts, leftOut }: Question,
): Generator<undefined, GainedAndLost | undefined> {
  // Recertification concerns all users of an account and of those below.
  if (items.some(({ list }) => list === 'accounts')) return undefined
  const pairs = yield* pairsReached(change, { items, most, accounts })
  if (pairs === undefined) return undefined
  const was = timesIn(change.before, { at, leftOut: leftOut?.before })
  const is = timesIn(change.index, { at, leftOut: leftOut?.after })
  const differences = differenceFinder()
  const [gained, lost]: [AccessChange[], AccessChange[]] = [[], []]
  for (const [user, doors] of pairs) {
    for (const door of doors) {
      yield
      const [earlier, later] = [yield* was({ user, door }), yield* is({ user, door })]
      gained.push(...changesOf({ user, door }, { from: later, without: earlier, differences }))
      lost.push(...changesOf({ user, door }, { from: earlier, without: later, differences }))
    }
  }
  return { gained, lost }
}

type TimesByDirection = Readonly<Record<Direction, readonly Span[]>>
type Difference = {
  readonly from: TimesByDirection
  readonly without: TimesByDirection
  readonly differences: ReturnType<typeof differenceFinder>
}

function changesOf(
  pair: Pick<AccessChange, 'user' | 'door'>,
  { from, without, differences }: Difference,
): AccessChange[] {
  const [entry, exit] = [differences(from.entry, without.entry), differences(from.exit, without.exit)]
  if (entry === exit) return entry.length > 0 ? [{ ...pair, direction: 'both', times: entry }] : []
  return [
    ...(entry.length > 0 ? [{ ...pair, direction: 'entry' as const, times: entry }] : []),
    ...(exit.length > 0 ? [{ ...pair, direction: 'exit' as const, times: exit }] : []),
  ]
}

const nowhere: TimesByDirection = { entry: [], exit: [] }

function timesIn(index: PolicyIndex, { at, leftOut }: { at: number; leftOut: LeftOutByUnit | undefined }) {
  const finder = openingFinder(index, { at, leftOut })
  return function* times({ user, door: id }: { user: string; door: string }): Generator<undefined, TimesByDirection> {
    const door = index.doors.get(id)
    if (door === undefined) return nowhere
    const found = rulesForUserAtDoor(index, { user, door })
    if (!found.some(({ rule }) => rule.effect === 'allow')) return nowhere
    const rules = found.reduce<RuleSet | undefined>((set, { rule }) => finder.withRule(set, rule), undefined)
    const inDirection = function* (direction: Direction) {
      if (!door.directions[direction]) return nowhere[direction]
      return yield* finder.timesOf({ user, door, rules, readers: [direction] })
    }
    return { entry: yield* inDirection('entry'), exit: yield* inDirection('exit') }
  }
}

/**
 * Thousands of users share the same periods, so each difference is computed once, and equal ones are one object. Each user
 * may also have periods of their own: those that no caller needs longer are not kept.
 */
function differenceFinder() {
  const known = new WeakMap<readonly Span[], WeakMap<readonly Span[], readonly Span[]>>()
  const shared = sharedSpanLists()
  return (one: readonly Span[], other: readonly Span[]) => {
    const ofOne = known.get(one) ?? new WeakMap<readonly Span[], readonly Span[]>()
    known.set(one, ofOne)
    const cached = ofOne.get(other)
    if (cached !== undefined) return cached
    const difference = shared(subtractSpans(one, other))
    ofOne.set(other, difference)
    return difference
  }
}

/** Returns the first of all equal lists. */
function sharedSpanLists() {
  const byHash = new Map<number, (readonly Span[])[]>()
  return (spans: readonly Span[]) => {
    const hash = spans.reduce((sum, { from, until }) => Math.imul(Math.imul(sum, 31) + from, 31) + until, 0) | 0
    const alike = byHash.get(hash) ?? []
    byHash.set(hash, alike)
    const equal = alike.find((each) => areSameSpans(each, spans))
    if (equal === undefined) alike.push(spans)
    return equal ?? spans
  }
}
