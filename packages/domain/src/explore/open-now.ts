import { rulesAtDoor, rulesForUserAtDoor, rulesNaming, usersNamedBy } from '../decision/applying-rules.ts'
import { type ApplyingRule, doorInPolicy, type NameAtDoor } from '../decision/door-in-policy.ts'
import { doorsOfRules } from '../decision/doors-of-rules.ts'
import type { LeftOutByUnit } from '../decision/left-out.ts'
import { mayPassAt } from '../decision/lockdown-exceptions.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { accountOfReader } from '../decision/presented-credential.ts'
import type { Door } from '../policy.ts'
import { openingFinder, type RuleSet } from './openings.ts'
import { presentableFinder } from './presentable.ts'
import type { ReviewSteps } from './review-steps.ts'

type Counting = {
  readonly at: number
  readonly leftOut?: LeftOutByUnit
  readonly steps: ReviewSteps
  /** Those that count. */
  readonly seesUser: (id: string) => boolean
  readonly seesDoor: (door: Door) => boolean
}

/** The shortest period: only openings at the instant count. */
const instantMs = 1
/** Deciding one user at one door takes longer than other steps. */
const stepsOfPair = 4

/**
 * Counts the doors that a user can open at an instant, and the users who can open a door, as `doorsOfUser` and `usersAtDoor`
 * do, but without later openings. Null if the steps run out.
 */
export function openNowCounter(index: PolicyIndex, { at, leftOut, steps, seesUser, seesDoor }: Counting) {
  const presentable = presentableFinder(index, at, leftOut)
  const openings = openingFinder(index, { at, leftOut, presentable, horizonMs: instantMs })
  const counted = new Map<ReadonlySet<string>, Map<string, number>>()
  return { doorsOf, usersAt }

  function* doorsOf(user: string): Generator<undefined, number | null> {
    let count = 0
    const allowing = rulesNaming(index, user).filter(({ effect }) => effect === 'allow')
    for (const door of doorsOfRules(index, allowing)) {
      yield* steps.take(stepsOfPair)
      if (steps.isSpent()) return null
      if (seesDoor(door) && (yield* isOpenFor(user, door))) count += 1
    }
    return count
  }

  /**
   * The members of the largest group count together, and once for all doors of the same account: only those whom other
   * names mention too are decided one by one.
   */
  function* usersAt(door: Door): Generator<undefined, number | null> {
    if (steps.isSpent()) return null
    const { names } = doorInPolicy(index, door)
    // During a lockdown that lets some users pass, members of one group may differ.
    const largest = mayPassAt(door) ? undefined : largestOf(names)
    const members = largest && (yield* isOpenBy(largest.rules, door)) ? largest.members : noMembers
    let count = yield* presentableMembers(members, door)
    for (const user of yield* usersBeside(largest, { door, names })) {
      yield* steps.take(stepsOfPair)
      if (steps.isSpent()) return null
      if (!seesUser(user)) continue
      if (members.has(user) && (yield* canPresent(user, door))) count -= 1
      if (yield* isOpenFor(user, door)) count += 1
    }
    return steps.isSpent() ? null : count
  }

  function* isOpenFor(user: string, door: Door) {
    const rules = setOf(rulesForUserAtDoor(index, { user, door }))
    return (yield* openings.of({ user, door, rules })) !== null
  }

  function* isOpenBy(rules: readonly ApplyingRule[], door: Door) {
    return (yield* openings.timesAtDoor({ door, rules: setOf(rules) })).length > 0
  }

  function setOf(rules: readonly ApplyingRule[]) {
    return rules.reduce<RuleSet | undefined>((set, { rule }) => openings.withRule(set, rule), undefined)
  }

  /** How many members of a group can present a credential to the readers of an account. */
  function* presentableMembers(members: ReadonlySet<string>, door: Door) {
    const byReader = counted.get(members) ?? new Map<string, number>()
    counted.set(members, byReader)
    const key = `${accountOfReader(index, door)} ${leftOut?.get(door.unit ?? '')?.oldestCredential}`
    const known = byReader.get(key)
    if (known !== undefined) return known
    let count = 0
    for (const user of Array.from(members)) {
      yield* steps.take()
      if (steps.isSpent()) break
      if (seesUser(user) && (yield* canPresent(user, door))) count += 1
    }
    byReader.set(key, count)
    return count
  }

  function* canPresent(user: string, door: Door) {
    if (!index.membershipsOfUser.has(user)) return false
    return (yield* presentable({ user, door })).times.some(({ from, until }) => from <= at && at < until)
  }

  /** The users whom anything but the largest group names; all of them, where the names of a door are too many to be kept. */
  function* usersBeside(
    largest: LargeGroup | undefined,
    { door, names }: NamesOfDoor,
  ): Generator<undefined, ReadonlySet<string>> {
    const rules = names === undefined ? rulesAtDoor(index, door) : []
    const others = (names ?? [])
      .filter(({ who }) => who._id !== largest?.who._id)
      .map(({ who }) => ({ kind: who.kind, id: who._id }))
    const users = new Set<string>()
    for (const each of [{ who: others }, ...rules]) {
      for (const user of usersNamedBy(index, each)) {
        yield* steps.take()
        if (steps.isSpent()) return users
        users.add(user)
      }
    }
    return users
  }
}

type LargeGroup = NameAtDoor & { readonly members: ReadonlySet<string> }
const noMembers: ReadonlySet<string> = new Set()
type NamesOfDoor = { readonly door: Door; readonly names: readonly NameAtDoor[] | undefined }

function largestOf(names: readonly NameAtDoor[] = []) {
  const groups = names.flatMap(({ members, ...name }): LargeGroup[] => (members ? [{ ...name, members }] : []))
  return groups.reduce<LargeGroup | undefined>(
    (largest, each) => (largest && largest.members.size >= each.members.size ? largest : each),
    undefined,
  )
}
