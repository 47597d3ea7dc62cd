import { rulesForUserAtDoor, rulesNaming } from '../decision/applying-rules.ts'
import { doorsOfRules } from '../decision/doors-of-rules.ts'
import { type PolicyIndex, subjectKey } from '../decision/policy-index.ts'
import { accountOfReader } from '../decision/presented-credential.ts'
import { usableHolder } from '../decision/usable-credential.ts'
import type { Door } from '../policy.ts'
import { openingFinder, type RuleSet } from './openings.ts'
import { presentableFinder } from './presentable.ts'
import type { ReviewSteps } from './review-steps.ts'

/** Finding the hours of a rule for eight weeks takes longer than other steps. */
const stepsOfRule = 20
/** Each keeps what was found with it. */
const mostSets = 100_000

type Input = { readonly accounts: ReadonlySet<string>; readonly at: number; readonly steps: ReviewSteps }

/**
 * The users of some accounts who hold a usable credential, but can open no door within eight weeks, in short steps; not
 * all of them if the steps run out. A PIN and the room of controllers do not count.
 */
export function* usersWithoutAccess(
  index: PolicyIndex,
  { accounts, at, steps }: Input,
): Generator<undefined, string[]> {
  const presentable = presentableFinder(index, at)
  let openings = openingFinder(index, { at, presentable })
  let setsMade = 0
  const readers = new Map([...index.doors.values()].map((door) => [accountOfReader(index, door), door]))
  const known = new Map<string, boolean>()
  const found: string[] = []
  for (const user of Array.from(index.membershipsOfUser.keys())) {
    yield* steps.take()
    if (steps.isSpent()) break
    if (!isHolderIn(user) || (yield* hasAccess(user))) continue
    found.push(user)
  }
  return found

  function isHolderIn(user: string) {
    const isMember = index.membershipsOfUser.get(user)?.some(({ account }) => accounts.has(account))
    const credentials = isMember ? (index.credentialsOfUser.get(user) ?? []) : []
    return credentials.some((each) => each.kind !== 'pin' && usableHolder(index, each, at))
  }

  /** Users whom the same names give access, and who can present a credential at the same times, can open the same doors. */
  function* hasAccess(user: string) {
    const times = yield* presentableTimes(user)
    const names = namesOf(user)
    if (names.length === 0 || times === '') return false
    const key = `${names.join()} ${times}`
    const access = known.get(key) ?? (yield* findAccess(user))
    known.set(key, access)
    return access
  }

  function* findAccess(user: string) {
    for (const door of doorsOfRules(
      index,
      rulesNaming(index, user).filter(({ effect }) => effect === 'allow'),
    )) {
      yield* steps.take()
      if (steps.isSpent()) return true
      const rules = yield* ruleSetOf(user, door)
      if ((yield* counted(openings.of({ user, door, rules }))) !== null) return true
    }
    return false
  }

  /** When the readers of each account recognise the user; empty if none ever does. */
  function* presentableTimes(user: string) {
    let found = ''
    for (const [account, door] of readers) {
      yield* steps.take()
      const { times } = yield* presentable({ user, door })
      if (times.length > 0) found += `${account} ${times.map(({ from, until }) => `${from}-${until}`).join()} `
    }
    return found
  }

  /** The user and their groups, if rules name them. */
  function namesOf(user: string) {
    const groups = (index.userGroups.groupsOf.get(user) ?? []).map((id) => ({ kind: 'User Group', id }) as const)
    return [{ kind: 'User', id: user } as const, ...groups].map(subjectKey).filter((key) => index.rulesByWho.has(key))
  }

  function* ruleSetOf(user: string, door: Door) {
    if (setsMade > mostSets) {
      openings = openingFinder(index, { at, presentable })
      setsMade = 0
    }
    let set: RuleSet | undefined
    for (const { rule } of rulesForUserAtDoor(index, { user, door })) {
      yield* steps.take()
      set = openings.withRule(set, rule)
      setsMade += 1
    }
    return set
  }

  /** Counts the steps of other work, each of which handles one rule. */
  function* counted<T>(work: Generator<undefined, T>): Generator<undefined, T> {
    for (;;) {
      const step = work.next()
      if (step.done) return step.value
      yield* steps.take(stepsOfRule)
    }
  }
}
