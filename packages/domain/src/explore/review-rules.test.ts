import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rulesForUserAtDoor } from '../decision/applying-rules.ts'
import { scheduleFacts } from '../decision/gather-facts.ts'
import { policyIndex } from '../decision/index-policy.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { siteCalendarAround } from '../decision/site-calendar.ts'
import { usableHolder } from '../decision/usable-credential.ts'
import { directions, type Policy, type Rule } from '../policy.ts'
import { anyInstant, anyPolicy } from '../random-policy.ts'
import { credential, door, group, rule, samplePolicy, schedule, user } from '../sample-policy.ts'
import { withoutInterruption } from '../steps.ts'
import { sharedSpans, subtractSpans } from '../time/spans.ts'
import type { Span } from '../time/zone.ts'
import { allowedTimes, deniedTimes } from './access-times.ts'
import { doorsOfUser, openingHorizonMs } from './openings.ts'
import { reviewRules, type RuleFinding } from './review-rules.ts'
import { reviewSteps } from './review-steps.ts'
import { ruleExtents } from './rule-extent.ts'
import { usersWithoutAccess } from './users-without-access.ts'

const everywhere = new Set(['root', 'group', 'acme', 'branch', 'other'])
const friday = Date.parse('2026-11-20T17:00:00Z')

const plenty = () => ({ accounts: everywhere, steps: reviewSteps(Number.POSITIVE_INFINITY) })
const findingsOf = (index: PolicyIndex, at = friday) => withoutInterruption(reviewRules(index, { ...plenty(), at }))
const withoutAccess = (index: PolicyIndex, at = friday) =>
  withoutInterruption(usersWithoutAccess(index, { ...plenty(), at }))

type Times = ReadonlyMap<string, readonly Span[]>
const none: Times = new Map()

/** The times of a rule at each reader for each user, found pair by pair. */
function timesOf(index: PolicyIndex, { of, at }: { of: Rule; at: number }): Times {
  const times = new Map<string, readonly Span[]>()
  for (const there of index.doors.values()) {
    const place = index.sites.get(there.site)
    for (const direction of directions.filter((each) => there.directions[each])) {
      const span = { from: at, until: at + openingHorizonMs }
      const around = { calendar: place && siteCalendarAround(index, place, at), direction, span }
      const facts = { ...of, schedule: scheduleFacts(index, of) }
      const all = of.effect === 'allow' ? allowedTimes(facts, around) : deniedTimes(facts, around)
      const spans = all.filter(({ from, until }) => from < until)
      for (const person of index.membershipsOfUser.keys()) {
        const isNamed = rulesForUserAtDoor(index, { user: person, door: there }).some((each) => each.rule === of)
        if (isNamed) times.set(`${person} ${there._id} ${direction}`, spans)
      }
    }
  }
  return times
}

function areWithin(times: Times, others: Times) {
  return [...times].every(([key, spans]) => subtractSpans(spans, others.get(key) ?? []).length === 0)
}

function usersOf(times: Times) {
  return new Set([...times.keys()].map((key) => key.split(' ')[0]))
}

/** Whether a finding is true of the times of all rules, pair by pair. */
function isTrue(
  finding: RuleFinding,
  { times, at, index }: { times: ReadonlyMap<string, Times>; at: number; index: PolicyIndex },
) {
  const own = times.get(finding.rule) ?? none
  if (finding.kind === 'never_applies') {
    const hasEnded = (id: string) =>
      index.membershipsOfUser.get(id)?.every(({ validUntil }) => validUntil !== null && Date.parse(validUntil) <= at)
    return [...own].every(([key, spans]) => spans.length === 0 || hasEnded(key.split(' ')[0] ?? ''))
  }
  const others = times.get(finding.other) ?? none
  if (finding.kind === 'same') return areWithin(own, others) && areWithin(others, own)
  if (finding.kind === 'contained') return areWithin(own, others)
  const shared = usersOf(own).intersection(usersOf(others)).size
  return finding.cardholders === shared && (finding.takes === 'some' || areWithin(own, others))
}

/** Equal rules are rare in random policies. */
const policyWithCopy = anyPolicy.map((policy) => ({
  ...policy,
  rules: [...policy.rules, ...policy.rules.slice(0, 1).map((each) => ({ ...each, _id: 'rule-copy' }))],
}))

function asRuns(run: (input: { policy: Policy; index: PolicyIndex; at: number }) => void) {
  fc.assert(
    fc.property(policyWithCopy, anyInstant, (policy, at) => run({ policy, index: policyIndex(policy), at })),
    { numRuns: 150 },
  )
}

test('for any policy, every finding is true of every user at every door', () => {
  const seen = new Set<string>()
  asRuns(({ policy, index, at }) => {
    const times = new Map(policy.rules.map((each) => [each._id, timesOf(index, { of: each, at })]))
    for (const finding of findingsOf(index, at)) {
      seen.add(finding.kind)
      expect({ finding, isTrue: isTrue(finding, { times, at, index }) }).toEqual({ finding, isTrue: true })
    }
  })
  expect([...seen].toSorted()).toEqual(['contained', 'denied', 'never_applies', 'same'])
})

test('for any policy, deny rules that take access at any door are found', () => {
  asRuns(({ policy, index, at }) => {
    const enabled = policy.rules.filter((each) => each.enabled)
    const findings = findingsOf(index, at)
    const times = new Map(enabled.map((each) => [each._id, timesOf(index, { of: each, at })]))
    const dead = new Set(findings.filter(({ kind }) => kind === 'never_applies').map((each) => each.rule))
    const pairs = enabled.flatMap((allow) =>
      enabled
        .filter((deny) => allow.effect === 'allow' && deny.effect === 'deny')
        .map((deny) => [allow, deny] as const),
    )
    const met = pairs.filter(([allow, deny]) => {
      const denied = times.get(deny._id)
      return [...(times.get(allow._id) ?? [])].some(
        ([key, spans]) => sharedSpans(spans, denied?.get(key) ?? []).length > 0,
      )
    })
    const found = findings.flatMap((each) => (each.kind === 'denied' ? [`${each.rule} ${each.other}`] : []))
    const expected = met.filter(([allow]) => !dead.has(allow._id)).map(([allow, deny]) => `${allow._id} ${deny._id}`)
    expect(found.toSorted()).toEqual(expected.toSorted())
  })
})

test('for any policy, no access changes if all rules that are the same or contained are deleted', () => {
  asRuns(({ policy, index, at }) => {
    const redundant = new Set(
      findingsOf(index, at)
        .filter(({ kind }) => kind === 'same' || kind === 'contained')
        .map((each) => each.rule),
    )
    const after = policyIndex({ ...policy, rules: policy.rules.filter(({ _id }) => !redundant.has(_id)) })
    for (const { _id } of policy.users) {
      const [was, is] = [index, after].map((each) => withoutInterruption(doorsOfUser(each, { user: _id, at })))
      expect(is).toEqual(was)
    }
  })
})

test('for any policy, the users without access are those whom the explorer shows no door', () => {
  let seen = 0
  asRuns(({ index, at }) => {
    const holders = [...index.membershipsOfUser.keys()].filter((id) =>
      index.credentialsOfUser.get(id)?.some((each) => each.kind !== 'pin' && usableHolder(index, each, at)),
    )
    const expected = holders.filter((id) =>
      withoutInterruption(doorsOfUser(index, { user: id, at }))
        .values()
        .every((opening) => opening === null),
    )
    seen += expected.length
    expect(withoutAccess(index, at).toSorted()).toEqual(expected.toSorted())
  })
  expect(seen).toBeGreaterThan(0)
})

const staff = group({ _id: 'staff', account: 'acme', members: ['nomsa', 'ben'] })
const people = [user(), user({ _id: 'ben', name: 'Ben' })]
const site = [{ kind: 'Site' as const, id: 'site' }]
const toStaff = [{ kind: 'User Group' as const, id: 'staff' }]
const review = (rules: Rule[], changes: Partial<Policy> = {}) =>
  findingsOf(policyIndex(samplePolicy({ users: people, userGroups: [staff], rules, ...changes })))

test('a rule whose users and doors another names through a group and a site is contained, with the same schedule, too', () => {
  const wide = rule({ _id: 'wide', who: toStaff, where: site })
  const contained = [{ kind: 'contained', rule: 'one', other: 'wide' }]
  expect(review([rule({ _id: 'one' }), wide])).toEqual(contained)
  const day = schedule({ _id: 'day' })
  const [one, other] = [rule({ _id: 'one', schedule: 'day' }), { ...wide, schedule: 'day' }]
  expect(review([one, other], { schedules: [day] })).toEqual(contained)
  expect(review([rule({ _id: 'one' }), other], { schedules: [day] })).toEqual([])
})

test('of two rules with equal effect but other names, only the one with the later id can go', () => {
  const alone = group({ _id: 'alone', account: 'acme', members: ['nomsa'] })
  const rules = [rule({ _id: 'a' }), rule({ _id: 'b', who: [{ kind: 'User Group', id: 'alone' }] })]
  expect(review(rules, { userGroups: [alone] })).toEqual([{ kind: 'contained', rule: 'b', other: 'a' }])
})

test('an earlier copy of a rule is named, and a disabled one counts as none', () => {
  expect(review([rule({ _id: 'a' }), rule({ _id: 'b' })])).toEqual([{ kind: 'same', rule: 'b', other: 'a' }])
  expect(review([rule({ _id: 'a', enabled: false }), rule({ _id: 'b' })])).toEqual([])
})

test('longer hours contain shorter ones, unless their holidays differ', () => {
  const windows = (start: string, end: string) => [{ days: [1, 2, 3, 7], start, end }]
  const [short, long] = [windows('09:00', '17:00'), windows('08:00', '02:00')]
  const rules = [rule({ _id: 'one', schedule: 'short' }), rule({ _id: 'two', schedule: 'long' })]
  const schedules = [schedule({ _id: 'short', windows: short }), schedule({ _id: 'long', windows: long })]
  expect(review(rules, { schedules })).toEqual([{ kind: 'contained', rule: 'one', other: 'two' }])
  const holidayHours = { public: 'asUsual', company: 'asUsual', special: 'asUsual' } as const
  const [open = schedule(), other = schedule()] = schedules
  const closed = { ...other, holidayHours: { ...holidayHours, public: 'closed' as const } }
  expect(review(rules, { schedules: [{ ...open, holidayHours }, closed] })).toEqual([])
})

test('a deny rule is named with the number of cardholders, and whether it leaves anything', () => {
  const deny = rule({ _id: 'deny', effect: 'deny', who: toStaff, where: site })
  const denied = { kind: 'denied', rule: 'a', other: 'deny', cardholders: 1 }
  expect(review([rule({ _id: 'a' }), deny])).toEqual([{ ...denied, takes: 'all' }])
  expect(review([rule({ _id: 'a' }), { ...deny, direction: 'exit' }])).toEqual([{ ...denied, takes: 'some' }])
})

test.each([
  ['who', rule({ who: [{ kind: 'User Group', id: 'none' }] })],
  ['who', rule({ who: [{ kind: 'User', id: 'left' }] })],
  ['where', rule({ where: [{ kind: 'Door', id: 'gone' }] })],
  ['reader', rule({ where: [{ kind: 'Door', id: 'in' }], direction: 'exit' })],
  ['schedule', rule({ schedule: 'gone' })],
  ['schedule', rule({ schedule: 'blank' })],
  ['ended', rule({ adhoc: { from: '2026-11-01T00:00:00Z', until: '2026-11-02T00:00:00Z' } })],
] as const)('a rule that never applies has the reason %s', (reason, odd) => {
  const changes = {
    users: [user(), user({ _id: 'left', validUntil: '2026-11-01T00:00:00Z' })],
    doors: [door(), door({ _id: 'in', unitDoor: 2, directions: { entry: true, exit: false } })],
    schedules: [schedule({ _id: 'blank', windows: [] })],
  }
  expect(review([odd], changes)).toEqual([{ kind: 'never_applies', rule: odd._id, reason }])
  expect(review([{ ...odd, enabled: false }], changes)).toEqual([])
})

test('only rules and users of the given accounts are examined, and none after the last step', () => {
  const index = policyIndex(samplePolicy({ rules: [rule({ _id: 'a' }), rule({ _id: 'b' })], doors: [] }))
  const look = (account: string, most: number) => {
    const input = { accounts: new Set([account]), at: friday, steps: reviewSteps(most) }
    return [
      withoutInterruption(reviewRules(index, input)).length,
      withoutInterruption(usersWithoutAccess(index, input)).length,
    ]
  }
  expect(look('acme', 1_000)).toEqual([2, 1])
  expect(look('other', 1_000)).toEqual([0, 0])
  expect(look('acme', 0)).toEqual([0, 0])
})

test('75,000 users, 2,500 doors and 5,000 rules are examined in steps, within the most that they may take', () => {
  const groups = Array.from({ length: 500 }, (_, at) =>
    group({
      _id: `g${at}`,
      account: 'acme',
      members: Array.from({ length: 450 }, (_each, n) => `u${(at * 150 + n) % 75_000}`),
    }),
  )
  const users = Array.from({ length: 75_000 }, (_, at) => user({ _id: `u${at}`, name: `User ${at}` }))
  const credentials = users.map(({ _id }) => credential({ _id: `c${_id}`, user: _id, number: _id }))
  const doors = Array.from({ length: 2_500 }, (_, at) => door({ _id: `d${at}`, unitDoor: at }))
  const rules = Array.from({ length: 5_000 }, (_, at) =>
    rule({
      _id: `r${at}`,
      effect: at % 25 === 0 ? 'deny' : 'allow',
      who: [{ kind: 'User Group', id: `g${at % 500}` }],
      where: Array.from({ length: 5 }, (_each, n) => ({ kind: 'Door' as const, id: `d${(at * 7 + n) % 2_500}` })),
    }),
  )
  const index = policyIndex(samplePolicy({ users, credentials, doors, rules, userGroups: groups }))
  const steps = reviewSteps(3_000_000)
  const findings = withoutInterruption(reviewRules(index, { accounts: everywhere, at: friday, steps }))
  const without = withoutInterruption(usersWithoutAccess(index, { accounts: everywhere, at: friday, steps }))
  expect([steps.isSpent(), findings.length > 0, without.length]).toEqual([false, true, 0])
})

test('comparing rules that name a thousand users takes little memory', () => {
  const who = Array.from({ length: 1_000 }, (_, at) => ({ kind: 'User' as const, id: `user-${at}` }))
  const index = policyIndex(samplePolicy())
  const { whoKey } = ruleExtents(index, reviewSteps(Number.POSITIVE_INFINITY))
  expect(whoKey(rule({ who })).length).toBeLessThan(100)
  const [one, same] = [rule({ _id: 'one' }), rule({ _id: 'same' })]
  expect(whoKey(one)).toBe(whoKey(same))
})

test('of two rules that are the same, one stays, whatever their order', () => {
  for (const ids of [
    ['rule-0', 'rule-1'],
    ['rule-1', 'rule-0'],
  ]) {
    const index = policyIndex(samplePolicy({ rules: ids.map((_id) => rule({ _id })) }))
    const redundant = findingsOf(index).filter(({ kind }) => kind === 'same' || kind === 'contained')
    expect(redundant).toEqual([{ kind: 'same', rule: 'rule-1', other: 'rule-0' }])
  }
})

test('rules with thousands of periods at many sites use up the steps instead of the memory', () => {
  const windows = Array.from({ length: 40 }, (_, at) => ({
    days: [1, 2, 3, 4, 5, 6, 7],
    start: minutes(at * 30),
    end: minutes(at * 30 + 10),
  }))
  const gaps = windows.map((window, at) => ({ ...window, start: minutes(at * 30 + 15), end: minutes(at * 30 + 25) }))
  const [one] = samplePolicy().sites
  if (!one) throw new Error('the sample has no site')
  const sites = Array.from({ length: 60 }, (_, at) => ({ ...one, _id: `site-${at}` }))
  const doors = sites.map(({ _id }) => door({ _id: `door-${_id}`, site: _id }))
  const where = doors.map(({ _id }) => ({ kind: 'Door' as const, id: _id }))
  const until = new Date(friday + 80 * 86_400_000).toISOString()
  const boxes = Array.from({ length: 20 }, (_, at) => ({
    from: new Date(friday - (at + 1) * 60_000).toISOString(),
    until,
  }))
  const rules = [
    ...boxes.map((adhoc, at) => rule({ _id: `allow-${at}`, where, schedule: 'windows', adhoc })),
    rule({ _id: 'deny', effect: 'deny', where, schedule: 'gaps' }),
  ]
  const schedules = [schedule({ _id: 'windows', windows }), schedule({ _id: 'gaps', windows: gaps })]
  const index = policyIndex(samplePolicy({ sites, doors, rules, schedules }))
  const steps = reviewSteps(20_000)
  withoutInterruption(reviewRules(index, { accounts: everywhere, steps, at: friday }))
  expect(steps.isSpent()).toBe(true)
})

function minutes(of: number) {
  return `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`
}
