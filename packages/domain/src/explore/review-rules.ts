import { rulesForUserAtDoor, usersNamedBy } from '../decision/applying-rules.ts'
import { scheduleFacts } from '../decision/gather-facts.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { siteCalendarAround } from '../decision/site-calendar.ts'
import { directions, type Door, type Rule } from '../policy.ts'
import { sharedSpans } from '../time/spans.ts'
import type { Span } from '../time/zone.ts'
import { allowedTimes, deniedTimes } from './access-times.ts'
import { denyRulesFinder } from './deny-rules-finder.ts'
import { neverApplies } from './never-applies.ts'
import type { NeverAppliesReason } from './never-applies-reasons.ts'
import { openingHorizonMs } from './openings.ts'
import type { ReviewSteps } from './review-steps.ts'
import { ruleExtents } from './rule-extent.ts'
import { areTimesCovered } from './times-cover.ts'

/** By the ids of rules. Disabled rules have no findings. */
export type RuleFinding =
  | { readonly kind: 'never_applies'; readonly rule: string; readonly reason: NeverAppliesReason }
  /** The other rule has the same users, places, directions and times. */
  | { readonly kind: 'same'; readonly rule: string; readonly other: string }
  /** All that the rule gives, or denies, the other does. */
  | { readonly kind: 'contained'; readonly rule: string; readonly other: string }
  /** The other rule denies these cardholders all that the rule gives, or some of it. */
  | {
      readonly kind: 'denied'
      readonly rule: string
      readonly other: string
      readonly takes: 'all' | 'some'
      readonly cardholders: number
    }

type Review = { readonly accounts: ReadonlySet<string>; readonly at: number; readonly steps: ReviewSteps }

/**
 * Findings about the enabled rules of some accounts, in short steps; not all of it if the steps run out. If all rules
 * that are the same as others or contained in others are deleted, no access changes.
 */
export function* reviewRules(index: PolicyIndex, { accounts, at, steps }: Review): Generator<undefined, RuleFinding[]> {
  const findings: RuleFinding[] = []
  const extents = ruleExtents(index, steps)
  const reasonOf = neverApplies(index, { at, steps, extents })
  const redundancyOf = redundancies(index, { steps, extents })
  const denialsOf = denials(index, { at, steps, extents })
  // A copy, because the rules may change between two steps.
  for (const rule of byId(index.rules.values())) {
    if (!rule.enabled || !accounts.has(rule.account)) continue
    if (findings.length >= mostFindings) steps.end()
    if (steps.isSpent()) break
    const reason = yield* reasonOf(rule)
    if (reason !== undefined) {
      findings.push({ kind: 'never_applies', rule: rule._id, reason })
      continue
    }
    findings.push(...(yield* redundancyOf(rule)), ...(yield* denialsOf(rule)))
  }
  return findings
}

/** More would take long to read. */
const mostFindings = 5_000

/** The same order at each time: of rules that are the same, that with the lowest id stays. */
function byId(rules: Iterable<Rule>) {
  return [...rules].sort((one, other) => (one._id < other._id ? -1 : 1))
}

type Comparison = { readonly steps: ReviewSteps; readonly extents: ReturnType<typeof ruleExtents> }

function redundancies(index: PolicyIndex, { steps, extents }: Comparison) {
  const { areUsersCovered, areDoorsCovered, doorsOf, whoKey, whereKey } = extents
  const firstAlike = new Map<string, string>()

  return function* redundancyOf(rule: Rule): Generator<undefined, RuleFinding[]> {
    const key = JSON.stringify([rule.effect, whoKey(rule), whereKey(rule), rule.direction, rule.schedule, rule.adhoc])
    const alike = firstAlike.get(key)
    if (alike !== undefined) return [{ kind: 'same', rule: rule._id, other: alike }]
    firstAlike.set(key, rule._id)
    const container = yield* containerOf(rule)
    return container ? [{ kind: 'contained', rule: rule._id, other: container._id }] : []
  }

  /** A container names every user at every door of the rule, so it is among the rules of any of them. */
  function* containerOf(rule: Rule) {
    const [user] = usersNamedBy(index, rule)
    const [door] = doorsOf(rule)
    if (user === undefined || door === undefined) return undefined
    for (const { rule: other } of rulesForUserAtDoor(index, { user, door })) {
      yield* steps.take()
      if (steps.isSpent()) return undefined
      if (other === rule || other.effect !== rule.effect || !(yield* isContained(rule, other))) continue
      // Of two that contain each other, only one can go.
      if (rule._id > other._id || !(yield* isContained(other, rule))) return other
    }
    return undefined
  }

  function* isContained(rule: Rule, other: Rule) {
    if (!areTimesCovered(index, rule, other)) return false
    return (yield* areDoorsCovered(rule, other)) && (yield* areUsersCovered(rule, other))
  }
}

function denials(index: PolicyIndex, { at, steps, extents }: Comparison & { at: number }) {
  const { areUsersCovered, areDoorsCovered, sharedUsers, doorsOf, namesDoor } = extents
  const denyRules = denyRulesFinder(index, steps)
  const timesOf = timesFinder(index, { at, steps })

  return function* denialsOf(rule: Rule): Generator<undefined, RuleFinding[]> {
    const findings: RuleFinding[] = []
    if (rule.effect !== 'allow') return findings
    for (const deny of yield* denyRules(rule)) {
      yield* steps.take()
      if (steps.isSpent() || findings.length >= mostFindings) break
      if (!(yield* meet(rule, deny))) continue
      const isAll =
        areTimesCovered(index, rule, deny) &&
        (yield* areDoorsCovered(rule, deny)) &&
        (yield* areUsersCovered(rule, deny))
      const takes = isAll ? ('all' as const) : ('some' as const)
      const cardholders = yield* sharedUsers(rule, deny)
      findings.push({ kind: 'denied', rule: rule._id, other: deny._id, takes, cardholders })
    }
    return findings
  }

  /** Whether both rules apply at one reader at one time within the horizon. */
  function* meet(rule: Rule, deny: Rule) {
    const apart = new Set<string>()
    for (const door of doorsOf(rule)) {
      yield* steps.take()
      if (!namesDoor(deny, door) || !isSharedReader(door, [rule, deny]) || apart.has(door.site)) continue
      const [given, denied] = [yield* timesOf(rule, door.site), yield* timesOf(deny, door.site)]
      yield* steps.take(stepsFor(given.length + denied.length))
      if (sharedSpans(given, denied).length > 0) return true
      if (steps.isSpent()) return false
      apart.add(door.site)
    }
    return false
  }
}

function isSharedReader(door: Door, rules: readonly Rule[]) {
  return directions.some(
    (each) => door.directions[each] && rules.every(({ direction }) => direction === 'both' || direction === each),
  )
}

/** Handling this many periods takes about as long as any other step. */
const spansOfStep = 20
/** In all: some tens of megabytes. */
const mostSpansKept = 300_000

function stepsFor(spans: number) {
  return Math.ceil(spans / spansOfStep)
}

function timesFinder(index: PolicyIndex, { at, steps }: { at: number; steps: ReviewSteps }) {
  const known = new Map<string, readonly Span[]>()
  let kept = 0
  return function* timesOf(rule: Rule, siteId: string): Generator<undefined, readonly Span[]> {
    const { effect, schedule, adhoc } = rule
    const key = `${effect} ${schedule} ${adhoc?.from} ${adhoc?.until} ${siteId}`
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const site = index.sites.get(siteId)
    const span = { from: at, until: at + openingHorizonMs }
    const around = { calendar: site && siteCalendarAround(index, site, at), direction: 'entry' as const, span }
    const facts = { ...rule, direction: 'both' as const, schedule: scheduleFacts(index, rule) }
    const times = effect === 'allow' ? allowedTimes(facts, around) : deniedTimes(facts, around)
    yield* steps.take(stepsFor(times.length))
    if (kept < mostSpansKept) known.set(key, times)
    kept += times.length
    return times
  }
}
