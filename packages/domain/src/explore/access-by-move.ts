import { accessOfUsers, type NumberedDoor, subjectsAtDoors } from '../configuration/access-of-users.ts'
import { mergedRules } from '../configuration/known-config.ts'
import { rulesAtDoor } from '../decision/applying-rules.ts'
import type { GroupIndex, PolicyIndex } from '../decision/policy-index.ts'
import type { RuleIds } from '../configuration/unit-config.ts'
import type { Door } from '../policy.ts'
import { stepSize } from '../steps.ts'

export type DoorsMove = {
  doors: readonly Door[]
  /** The account that they move to. */
  account: string
  /** The sites that stay behind; the new account gets copies of them, which are in no group or rule. */
  copiedSites: ReadonlySet<string>
  now: number
}

type AccessByMove = {
  loses: string[]
  gains: string[]
  /** The rules that apply at one of the doors before the move, and at none of them after it. */
  endedRules: string[]
}

/**
 * The users who can no longer open a door after the move, because their rule ends, and those who can open one at more times,
 * because a deny rule ends while an allow rule of an account above both stays. In short steps.
 */
export function* accessByMove(
  index: PolicyIndex,
  { doors, account, copiedSites, now }: DoorsMove,
): Generator<undefined, AccessByMove> {
  const before = yield* rulesOfUsers(index, doors, now)
  const moved = doors.map((door) => ({ ...door, account, site: copiedSites.has(door.site) ? '' : door.site }))
  const next = indexIn(index, account)
  const after = yield* rulesOfUsers(next, moved, now)
  const isOpen = (rules: RuleIds | undefined) => mayOpen(index, rules)
  const [loses, gains]: [string[], string[]] = [[], []]
  let count = 0
  for (const [user, was] of before) {
    if (++count % stepSize === 0) yield
    const is = after.get(user) ?? {}
    const doorsBefore = Object.entries(was)
    if (doorsBefore.some(([at, rules]) => isOpen(rules) && !isOpen(is[at]))) loses.push(user)
    if (doorsBefore.some(([at, { deny }]) => isOpen(is[at]) && (is[at]?.deny.length ?? 0) < deny.length))
      gains.push(user)
  }
  const rulesOf = (of: PolicyIndex, all: readonly Door[]) =>
    new Set(all.flatMap((door) => rulesAtDoor(of, door)).map(({ _id }) => _id))
  const endedRules = [...rulesOf(index, doors).difference(rulesOf(next, moved))]
  return { loses, gains, endedRules }
}

type RulesByDoor = Readonly<Record<string, RuleIds>>

/** The rules that name each user with an allow rule, by the place of the door in the list. */
function* rulesOfUsers(
  index: PolicyIndex,
  doors: readonly Door[],
  now: number,
): Generator<undefined, Map<string, RulesByDoor>> {
  const span = { from: now, until: Number.POSITIVE_INFINITY }
  const numbered = doors.map((door, at): NumberedDoor => [`${at}`, door])
  const subjects = subjectsAtDoors({ index, doors: numbered, span })
  const rulesOf = (ids: readonly string[]): RulesByDoor => {
    const named = ids.flatMap((id) => Object.entries(subjects.get(id)?.doors ?? {}))
    const byDoor = [...Map.groupBy(named, ([at]) => at)].flatMap(([at, entries]) => {
      const rules = mergedRules(entries.map(([, each]) => each))
      return rules ? [[at, rules] as const] : []
    })
    return Object.fromEntries(byDoor)
  }
  const rules = new Map<readonly string[], RulesByDoor>()
  const found = new Map<string, RulesByDoor>()
  for (const [user, access] of yield* accessOfUsers(index, subjects)) {
    if (found.size % stepSize === 0) yield
    const own = rules.get(access) ?? rulesOf(access)
    rules.set(access, own)
    found.set(user, own)
  }
  return found
}

/** Whether a user with these rules may open a door at some time: an unlimited deny rule leaves none. */
function mayOpen({ rules }: PolicyIndex, ids: RuleIds | undefined) {
  const isUnlimited = (id: string) => {
    const rule = rules.get(id)
    return rule?.direction === 'both' && rule.schedule === null && rule.adhoc === null
  }
  return ids !== undefined && ids.allow.length > 0 && !ids.deny.some(isUnlimited)
}

/** Moved doors and sites stay only in groups of the new account and of those above it. */
function indexIn(index: PolicyIndex, account: string): PolicyIndex {
  const lineage = index.lineageOf(account)
  const kept = ({ groups, ...rest }: GroupIndex): GroupIndex => ({
    ...rest,
    groups: new Map([...groups].filter(([, group]) => lineage.includes(group.account))),
  })
  return { ...index, doorGroups: kept(index.doorGroups), siteGroups: kept(index.siteGroups) }
}
