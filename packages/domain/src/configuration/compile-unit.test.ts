import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileUnit, decideOnUnit } from './compile-unit.ts'
import { policyIndex } from '../decision/gather-facts.ts'
import type { Policy } from '../policy.ts'
import { anyPolicy, shuffled } from '../random-policy.ts'
import { credential, holiday, rule, samplePolicy, schedule, user } from '../sample-policy.ts'

const noon = Date.parse('2026-11-18T12:00:00Z')
const hashNumber = (number: string) => `hash of ${number}`

function compile(changes: Partial<Policy> = {}, at = noon) {
  return compileUnit({ index: policyIndex(samplePolicy(changes)), unit: 'unit', at, hashNumber })
}

describe('a compiled unit', () => {
  test('contains its doors, and only ids, deadlines and the rules at these doors for users', () => {
    const policy = {
      rules: [rule({ schedule: 'day-shift' }), rule({ _id: 'deny', effect: 'deny', schedule: 'gone' })],
      schedules: [schedule(), schedule({ _id: 'unused' })],
      holidays: [holiday()],
      users: [user(), user({ _id: 'thabo', name: 'Thabo Nkosi' })],
      credentials: [credential(), credential({ _id: 'other', user: 'thabo', number: '77' })],
    }
    const { sites, ...config } = compile(policy)
    expect(config).toEqual({
      unit: 'unit',
      inService: true,
      from: '2026-09-02',
      until: '2030-02-01',
      doors: {
        1: {
          _id: 'door',
          name: 'Loading Bay 2',
          site: 'site',
          enabled: true,
          mode: 'normal',
          relockAfterSeconds: 5,
          heldOpenAfterSeconds: 30,
          requiresPin: false,
          requiresRemoteAuth: false,
          directions: { entry: true, exit: true },
        },
      },
      schedules: {
        'day-shift': {
          windows: [1, 2, 3, 4, 5].map((day) => ({ day, from: 360, until: 1080 })),
          holidayHours: { public: 'closed', company: 'closed', special: 'closed' },
        },
      },
      rules: {
        deny: { effect: 'deny', direction: 'both', adhoc: null, schedule: 'gone' },
        rule: { effect: 'allow', direction: 'both', adhoc: null, schedule: 'day-shift' },
      },
      access: { nomsa: { doors: { 1: { allow: ['rule'], deny: ['deny'] } } } },
      holders: {
        'nomsa@acme': {
          user: 'nomsa',
          validFrom: null,
          validUntil: null,
          recertification: { enforced: false },
          access: ['nomsa'],
        },
      },
      credentials: { 'hash of 0412-88213': { _id: 'card', holder: 'nomsa@acme', validFrom: null, validUntil: null } },
    })
    expect(sites.site?.timeZone).toBe('Europe/London')
    expect(sites.site?.holidays).toEqual({ '2026-11-18': [{ _id: 'founders-day', kind: 'company' }] })
    expect(sites.site?.zone.transitions.at(-1)).toEqual({ at: Date.parse('2029-10-28T01:00:00Z'), offsetMinutes: 0 })
    expect(JSON.stringify(compile(policy))).not.toMatch(/Nomsa|Thabo|Warehouse|Founders/)
  })

  test.each<[string, Partial<Policy>]>([
    ['a lost card', { credentials: [credential({ status: 'lost' })] }],
    ['a suspended card', { credentials: [credential({ status: 'suspended' })] }],
    ['a PIN', { credentials: [credential({ kind: 'pin' })] }],
    ['a card that ended long ago', { credentials: [credential({ validUntil: '2026-08-01T00:00:00Z' })] }],
    ['a suspended user', { users: [user({ status: 'suspended' })] }],
    ['a user with deny rules only', { rules: [rule({ effect: 'deny' })] }],
    ['a user with rules at other doors only', { rules: [rule({ where: [{ kind: 'Door', id: 'elsewhere' }] })] }],
    [
      'a visitor whose visit ended long ago',
      { rules: [rule({ adhoc: { from: '2026-07-01T00:00:00Z', until: '2026-08-01T00:00:00Z' } })] },
    ],
  ])('leaves out %s', (_, changes) => {
    const { credentials, holders, access, rules } = compile(changes)
    expect({ credentials, holders, access, rules }).toEqual({ credentials: {}, holders: {}, access: {}, rules: {} })
  })

  test('includes credentials that become valid later, so that they need no new configuration', () => {
    const config = compile({ credentials: [credential({ validFrom: '2027-01-01T00:00:00Z' })] })
    const decideAt = (at: string) =>
      decideOnUnit(config, {
        unitDoor: 1,
        credentialKey: hashNumber('0412-88213'),
        direction: 'entry',
        at: Date.parse(at),
      })
    expect(decideAt('2026-12-31T23:59:59Z').reason).toBe('not_yet_valid')
    expect(decideAt('2027-01-01T00:00:00Z').verdict).toBe('grant')
  })

  test('includes the recertification deadline and enforces it on its own', () => {
    const accounts = [{ _id: 'acme', parent: null, name: 'Acme', recertifyEveryDays: 30 }]
    const config = compile({ accounts, users: [user({ lastRecertifiedAt: '2026-11-01T00:00:00Z' })] })
    const decideAt = (at: string) =>
      decideOnUnit(config, {
        unitDoor: 1,
        credentialKey: hashNumber('0412-88213'),
        direction: 'entry',
        at: Date.parse(at),
      })
    expect(decideAt('2026-11-30T23:59:59Z').verdict).toBe('grant')
    expect(decideAt('2026-12-01T00:00:00Z').reason).toBe('recertification_overdue')
  })

  test('that does not exist has no doors', () => {
    expect(compile({ units: [] }).doors).toEqual({})
  })

  test('is the same text throughout a UTC month, and covers a later period in the next month', () => {
    const first = JSON.stringify(compile({}, Date.parse('2026-11-01T00:00:00Z')))
    expect(JSON.stringify(compile({}, Date.parse('2026-11-30T23:59:59Z')))).toBe(first)
    expect(JSON.stringify(compile({}, Date.parse('2026-12-01T00:00:00Z')))).not.toBe(first)
  })

  test('is the same text for any order of the policy', () => {
    fc.assert(
      fc.property(
        anyPolicy.chain((policy) => fc.tuple(fc.constant(policy), shuffled(policy))),
        ([policy, other]) => {
          const text = (from: Policy) =>
            JSON.stringify(compileUnit({ index: policyIndex(from), unit: 'unit-1', at: noon, hashNumber }))
          expect(text(other)).toBe(text(policy))
        },
      ),
      { numRuns: 150 },
    )
  })

  test('treats inherited property names as unknown credentials', () => {
    const attempt = { unitDoor: 1, credentialKey: '__proto__', direction: 'entry', at: noon } as const
    expect(decideOnUnit(compile(), attempt).reason).toBe('credential_unknown')
  })
})

test('a unit decides by look-up and never iterates over its records', () => {
  const config = compile({ rules: [rule({ schedule: 'day-shift' })], schedules: [schedule()] })
  const lookUpOnly = <T extends object>(record: T) =>
    new Proxy(record, {
      ownKeys: () => {
        throw new Error('The unit iterated over all records')
      },
    })
  const guarded = {
    ...config,
    holders: lookUpOnly(config.holders),
    access: lookUpOnly(config.access),
    credentials: lookUpOnly(config.credentials),
    rules: lookUpOnly(config.rules),
    schedules: lookUpOnly(config.schedules),
  }
  const attempt = { unitDoor: 1, direction: 'entry', at: noon } as const
  expect(decideOnUnit(guarded, { ...attempt, credentialKey: hashNumber('0412-88213') }).verdict).toBe('grant')
  expect(decideOnUnit(guarded, { ...attempt, credentialKey: hashNumber('1') }).reason).toBe('credential_unknown')
})
