import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideAccess } from '../decision/decide-access.ts'
import { bestAtDoor, exploreAccess } from './explore-access.ts'
import { gatherFacts, type PolicyIndex, policyIndex } from '../decision/gather-facts.ts'
import { doorsOfUser, openingHorizonMs, openingsAtDoor, usersAtDoor } from './openings.ts'
import { directions, type Policy } from '../policy.ts'
import { withoutInterruption } from '../steps.ts'
import { anyInstant, anyPolicy } from '../random-policy.ts'
import { credential, door, group, rule, samplePolicy, schedule, user } from '../sample-policy.ts'

const friday = Date.parse('2026-11-20T17:00:00Z')
const iso = (at: number | null | undefined) => (at === null || at === undefined ? at : new Date(at).toISOString())

function atDoor(changes: Partial<Policy>, at = friday) {
  const index = policyIndex(samplePolicy(changes))
  const people = withoutInterruption(usersAtDoor(index, { door: changes.doors?.[0] ?? door(), at }))
  return Object.fromEntries(
    [...people].map(([who, opening]) => [who, opening && [iso(opening.from), iso(opening.until)]]),
  )
}

describe('the users who can open a door', () => {
  test('have an allow rule, also through groups, and come with their first period of access', () => {
    const people = {
      users: [user(), user({ _id: 'thabo' }), user({ _id: 'lena' }), user({ _id: 'kept-out' })],
      credentials: [
        credential(),
        credential({ _id: 'c2', number: '2', user: 'thabo' }),
        credential({ _id: 'c3', number: '3', user: 'lena', status: 'lost' }),
      ],
      userGroups: [group({ members: ['thabo', 'lena'] })],
      rules: [
        rule(),
        rule({ _id: 'day', who: [{ kind: 'User Group', id: 'warehouse' }], schedule: 'day-shift' }),
        rule({ _id: 'deny', effect: 'deny', who: [{ kind: 'User', id: 'kept-out' }] }),
      ],
      schedules: [schedule()],
    }
    expect(atDoor(people)).toEqual({
      nomsa: ['2026-11-20T17:00:00.000Z', null],
      thabo: ['2026-11-20T17:00:00.000Z', '2026-11-20T18:00:00.000Z'],
      lena: null,
    })
    expect(atDoor(people, friday + 3_600_000)).toMatchObject({
      thabo: ['2026-11-23T06:00:00.000Z', '2026-11-23T18:00:00.000Z'],
    })
  })

  test('have a reader in the direction of their rule', () => {
    const rules = [rule({ direction: 'exit' })]
    expect(atDoor({ rules, doors: [door({ directions: { entry: true, exit: false } })] })).toEqual({})
    expect(atDoor({ rules, doors: [door({ directions: { entry: true, exit: true } })] })).toEqual({
      nomsa: ['2026-11-20T17:00:00.000Z', null],
    })
  })

  test('may have different hours for exit and entry', () => {
    const rules = [rule({ direction: 'exit' }), rule({ _id: 'in', direction: 'entry', schedule: 'day-shift' })]
    const index = policyIndex(samplePolicy({ rules, schedules: [schedule()] }))
    const at = friday + 2 * 3_600_000
    expect(withoutInterruption(openingsAtDoor(index, { user: 'nomsa', door: door(), at }))).toEqual([
      {
        direction: 'entry',
        opening: { from: Date.parse('2026-11-23T06:00Z'), until: Date.parse('2026-11-23T18:00Z') },
      },
      { direction: 'exit', opening: { from: at, until: null } },
    ])
  })

  test('cannot use a number that identifies a credential nearer to the reader', () => {
    const credentials = [
      credential({ account: 'group', number: '7' }),
      credential({ _id: 'near', user: 'thabo', number: '7' }),
    ]
    const users = [user({ account: 'group' }), user({ _id: 'thabo' })]
    expect(atDoor({ credentials, users })).toEqual({ nomsa: null })
  })
})

function explored(index: PolicyIndex) {
  return withoutInterruption(
    exploreAccess(index, { who: { user: 'nomsa' }, door: door(), direction: 'entry', at: friday }),
  )
}

test('the best credential of a user comes first, followed by the others', () => {
  const credentials = [credential({ status: 'lost' }), credential({ _id: 'spare', number: '2' })]
  const index = policyIndex(samplePolicy({ credentials }))
  const { best, others } = explored(index)
  expect([best.credential?._id, best.decision.verdict, best.decision.reason]).toEqual(['spare', 'grant', null])
  expect(
    others.flatMap((other) => other.credentials.map(({ _id }) => [_id, other.decision.verdict, other.decision.reason])),
  ).toEqual([['card', 'deny', 'credential_lost']])
})

test('for a user without a credential the rules are still evaluated', () => {
  const index = policyIndex(samplePolicy({ credentials: [] }))
  const { decision } = explored(index).best
  expect(decision.reason).toBe('credential_unknown')
  expect(decision.findings.filter(({ outcome }) => outcome === 'refused')).toHaveLength(1)
  expect(decision.findings.find(({ step }) => step === 'allow_rule')?.facts.rule?._id).toBe('rule')
})

test('a decision about a user and their doors takes few decisions and short steps, however many credentials they have', () => {
  const credentials = Array.from({ length: 5_000 }, (_, place) =>
    credential({
      _id: `card-${place}`,
      number: `${place}`,
      status: place % 2 === 0 ? 'lost' : 'active',
      validUntil: new Date(friday + (place + 1) * 1_000).toISOString(),
    }),
  )
  const index = policyIndex(samplePolicy({ credentials, doors: [door(), door({ _id: 'other' })] }))
  const [question, doors] = [
    { who: { user: 'nomsa' }, door: door(), direction: 'entry', at: friday } as const,
    [...index.doors],
  ]
  expect([...exploreAccess(index, question)]).toHaveLength(20)
  expect(explored(index).others.map(({ credentials: { length } }) => length)).toEqual([2_499, 2_500])
  // The credentials are read once, not once for each door.
  expect([...doorsOfUser(index, { user: 'nomsa', at: friday })].length).toBeLessThan(20 + 3 * doors.length)
})

test('for any policy they are the users with a credential for which the decision is anything but deny', () => {
  const seen = { now: 0, later: 0, never: 0 }
  const property = fc.property(anyPolicy, anyInstant, anyInstant, (policy, at, other) => {
    const index = policyIndex(policy)
    const later = at + Math.abs(other - at)
    const opens = (userId: string, doorId: string, when: number) =>
      [...new Set(policy.credentials.filter(({ user: of }) => of === userId).map(({ number }) => number))].some(
        (number) =>
          directions.some((direction) => {
            const facts = gatherFacts(index, { door: doorId, credentialNumber: number, direction, at: when })
            return facts.holder?._id === userId && decideAccess(facts).verdict !== 'deny'
          }),
      )
    for (const each of policy.doors) {
      const people = withoutInterruption(usersAtDoor(index, { door: each, at }))
      for (const _id of new Set(policy.users.map((person) => person._id))) {
        const opening = people.get(_id) ?? null
        expect(withoutInterruption(doorsOfUser(index, { user: _id, at })).get(each._id) ?? null).toEqual(opening)
        expect(opening?.from === at).toBe(opens(_id, each._id, at))
        const best = withoutInterruption(bestAtDoor(index, { user: _id, door: each, at }))
        expect(best.decision.verdict !== 'deny').toBe(opening?.from === at)
        if (opening === null) {
          expect(opens(_id, each._id, later)).toBe(false)
          seen.never += 1
          continue
        }
        const until = opening.until ?? at + openingHorizonMs
        expect(opens(_id, each._id, opening.from)).toBe(true)
        expect(opens(_id, each._id, until - 1)).toBe(true)
        if (opening.until !== null) expect(opens(_id, each._id, until)).toBe(false)
        if (opening.from > at) expect(opens(_id, each._id, opening.from - 1)).toBe(false)
        if (later < opening.from) expect(opens(_id, each._id, later)).toBe(false)
        if (later >= opening.from && later < until) expect(opens(_id, each._id, later)).toBe(true)
        seen[opening.from === at ? 'now' : 'later'] += 1
      }
    }
  })
  fc.assert(property, { numRuns: 40 })
  // Few random policies have a later opening, so more are tried until each kind has been seen.
  for (let more = 0; more < 100 && Math.min(seen.now, seen.later, seen.never) === 0; more += 1) {
    fc.assert(property, { numRuns: 10 })
  }
  expect(Math.min(seen.now, seen.later, seen.never)).toBeGreaterThan(0)
})
