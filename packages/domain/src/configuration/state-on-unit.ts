import type { DoorStateFacts, InterlockOutcome, SiteCalendar, StateOutcome } from '../decision/access-facts.ts'
import type { Direction } from '../policy.ts'
import { localTime } from '../time/zone.ts'
import type { UnitArea, UnitConfig, UnitDoor } from './unit-config.ts'

/** What a unit has observed at its doors; it survives a restart. Instants are epoch milliseconds. */
export type UnitMemory = {
  /** The numbers of the doors that are open, or whose locks are released. */
  readonly open: ReadonlySet<number>
  /** The last passage of each user into or out of each area, also through doors of other units if the server reports them. */
  readonly passages: Readonly<Record<string, Readonly<Record<string, Passage>>>>
  /** By door, when a first person last passed. */
  readonly firstPersonAt: Readonly<Record<string, number>>
  /** Grants at doors that have not opened yet. */
  readonly granted: readonly GrantedPassage[]
}

/** Without a direction: the user may be on either side since then. */
export type Passage = { readonly direction: Direction | null; readonly at: number }

/** A grant at a door, by number, that counts as a passage for anti-passback `until` it lapses. */
export type GrantedPassage = Passage & { readonly user: string; readonly door: number; readonly until: number }

type StateOnUnit = {
  readonly memory: UnitMemory
  readonly door: UnitDoor
  readonly user: string | undefined
  /** The user may pass without a first person. */
  readonly isFirst: boolean
  /** What the server has answered about the doors of other units; absent: it has not been asked. */
  readonly sharedInterlock?: InterlockOutcome | undefined
  readonly direction: Direction
  readonly at: number
}

/** The facts of the `state` step: what a unit's memory says about this passage. */
export function stateOnUnit(config: UnitConfig, input: StateOnUnit): DoorStateFacts {
  return {
    interlock: interlockOf(input),
    antipassback: antiPassbackOf(config, input),
    firstPerson: firstOf(config, input),
  }
}

function interlockOf({ door, memory, sharedInterlock = 'not_asked' }: StateOnUnit): InterlockOutcome {
  if (door.interlock?.some((number) => memory.open.has(number))) return 'violated'
  return door.interlock !== undefined && sharedInterlock === 'not_asked' ? 'clear' : sharedInterlock
}

function antiPassbackOf(config: UnitConfig, { door, user, memory, direction, at }: StateOnUnit): StateOutcome {
  if (door.areas === undefined || user === undefined) return 'not_asked'
  const pending = memory.granted.filter((each) => each.user === user && isPending(each, at))
  const outcomes = door.areas.flatMap((id) => {
    const area = config.areas?.[id]
    if (area === undefined) return []
    // Until the user has passed, they may be on either side: no second grant relies on the first.
    const lasts = [
      memory.passages[id]?.[user],
      ...pending.filter((each) => config.doors[each.door]?.areas?.includes(id)),
    ]
    return lasts.map((last) => outcomeInArea(area, { last, direction, at }))
  })
  return outcomes.find((each) => each === 'violated') ?? outcomes.find((each) => each === 'tolerated') ?? 'clear'
}

/** Whether a grant has not lapsed. A clock that was set in between ends it too. */
function isPending({ at: since, until }: GrantedPassage, at: number): boolean {
  return Math.abs(at - since) <= until - since
}

type InArea = { readonly last: Passage | undefined; readonly direction: Direction; readonly at: number }

function outcomeInArea({ kind, minutes }: UnitArea, { last, direction, at }: InArea): StateOutcome {
  if (last === undefined || last.direction !== direction) return 'clear'
  switch (kind) {
    case 'hard':
      return 'violated'
    case 'soft':
      return 'tolerated'
    case 'timed':
      return direction === 'entry' && at >= last.at && at - last.at < minutes * 60_000 ? 'violated' : 'clear'
  }
}

function firstOf(config: UnitConfig, { door, isFirst, memory, direction, at }: StateOnUnit): StateOutcome {
  if (!door.firstPerson || direction === 'exit') return 'not_asked'
  if (isFirst) return 'clear'
  const last = memory.firstPersonAt[door._id]
  const calendar = config.sites[door.site]
  return last !== undefined && calendar && isSameDay(calendar, last, at) ? 'clear' : 'violated'
}

function isSameDay({ zone }: SiteCalendar, one: number, other: number) {
  return localTime(zone, one).epochDay === localTime(zone, other).epochDay
}
