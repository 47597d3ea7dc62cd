import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Decision, decideAccess } from './decide-access.ts'
import { type Attempt, gatherFacts, policyIndex } from './gather-facts.ts'
import type { Door, Policy } from '../policy.ts'
import { decisionSteps, type ReasonCode, reasonCodes, reasonsOfStep, type Verdict } from './reasons.ts'
import { credential, door, group, holiday, rule, samplePolicy, schedule, user } from '../sample-policy.ts'

/** A Wednesday noon in London, in winter. */
const noon = Date.parse('2026-11-18T12:00:00Z')

function decide(changes: Partial<Policy> = {}, attempt: Partial<Attempt> = {}): Decision {
  const presented = { door: 'door', credentialNumber: '0412-88213', direction: 'entry', at: noon, ...attempt } as const
  return decideAccess(gatherFacts(policyIndex(samplePolicy(changes)), presented))
}

function findingOf({ findings }: Decision, step: (typeof decisionSteps)[number]) {
  return findings.find((finding) => finding.step === step)
}

const closed = schedule({ windows: [{ days: [3], start: '13:00', end: '18:00' }] })
const scheduled = { rules: [rule({ schedule: 'day-shift' })] }
const denying = rule({ _id: 'deny', effect: 'deny', name: 'Barred' })
const barred = { rules: [rule(), denying] }
const clear = { interlock: 'clear', antipassback: 'clear', firstPerson: 'clear' } as const
const pinAlone = { isPinAlone: true, credentialNumber: '' } as const
const ownPin = { credentials: [credential({ _id: 'pin', kind: 'pin', number: '2580' })] }
const yearly = [{ _id: 'acme', parent: null, name: 'Acme', recertifyEveryDays: 365 }]

const refusals: [ReasonCode, string, Partial<Policy>, Partial<Attempt>?][] = [
  ['door_unknown', 'a door that does not exist', {}, { door: 'nowhere' }],
  ['door_unknown', 'a door that is wired to another unit', {}, { unit: 'another' }],
  ['door_disabled', 'a disabled door', { doors: [door({ enabled: false })] }],
  ['unit_out_of_service', 'a door without a unit', { doors: [door({ unit: null, unitDoor: null })] }],
  [
    'unit_out_of_service',
    'a disabled unit',
    { units: [{ _id: 'unit', account: 'acme', name: 'U', site: null, inService: false }] },
  ],
  ['door_locked_down', 'a lockdown', { doors: [door({ mode: 'lockdown' })] }],
  ['door_blocked', 'a blocked door', { doors: [door({ mode: 'blocked' })] }],
  ['credential_unknown', 'a number without a credential', {}, { credentialNumber: '1' }],
  ['credential_unassigned', 'a card without a holder', { credentials: [credential({ user: null })] }],
  ['credential_unassigned', 'a card whose holder is gone', { users: [] }],
  ['credential_suspended', 'a suspended card', { credentials: [credential({ status: 'suspended' })] }],
  ['credential_lost', 'a lost card', { credentials: [credential({ status: 'lost' })] }],
  ['credential_stolen', 'a stolen card', { credentials: [credential({ status: 'stolen' })] }],
  ['credential_revoked', 'a revoked card', { credentials: [credential({ status: 'revoked' })] }],
  ['not_yet_valid', 'a card for tomorrow', { credentials: [credential({ validFrom: '2026-11-19T00:00:00Z' })] }],
  [
    'expired',
    'a card that ends this very moment',
    { credentials: [credential({ validUntil: '2026-11-18T12:00:00Z' })] },
  ],
  ['expired', 'a card whose end cannot be read', { credentials: [credential({ validUntil: 'soon' })] }],
  ['holder_inactive', 'a suspended user', { users: [user({ status: 'suspended' })] }],
  ['not_yet_valid', 'a user who starts tomorrow', { users: [user({ validFrom: '2026-11-19T00:00:00Z' })] }],
  ['expired', 'a user who has left', { users: [user({ validUntil: '2026-11-17T00:00:00Z' })] }],
  [
    'recertification_overdue',
    'a user recertified two years ago',
    { accounts: yearly, users: [user({ lastRecertifiedAt: '2024-11-18T00:00:00Z' })] },
  ],
  ['recertification_overdue', 'a user never recertified although it is enforced', { accounts: yearly }],
  ['denied_by_rule', 'a deny in addition to an allow', barred],
  ['no_access', 'no rule at all', { rules: [] }],
  ['no_access', 'a disabled rule', { rules: [rule({ enabled: false })] }],
  ['no_access', 'a rule for the other direction', { rules: [rule({ direction: 'exit' })] }],
  ['no_access', 'a rule of an account unrelated to the door’s', { rules: [rule({ account: 'other' })] }],
  ['no_access', 'a rule of an account below the door’s', { rules: [rule({ account: 'branch' })] }],
  ['no_access', 'a rule without users', { rules: [rule({ who: [] })] }],
  ['no_access', 'a rule without doors', { rules: [rule({ where: [] })] }],
  ['no_access', 'a rule for a group that is gone', { rules: [rule({ who: [{ kind: 'User Group', id: 'gone' }] })] }],
  [
    'no_access',
    'a rule for a door group that is gone',
    { rules: [rule({ where: [{ kind: 'Door Group', id: 'gone' }] })] },
  ],
  [
    'no_access',
    'a rule for the door’s site, which is gone',
    { sites: [], rules: [rule({ where: [{ kind: 'Site', id: 'site' }] })] },
  ],
  ['outside_schedule', 'an hour too early', { ...scheduled, schedules: [closed] }],
  ['outside_schedule', 'a schedule that is gone', scheduled],
  [
    'outside_schedule',
    'a schedule that cannot be read',
    { ...scheduled, schedules: [schedule({ windows: [{ days: [3], start: 'dawn', end: 'dusk' }] })] },
  ],
  [
    'outside_schedule',
    'a site in a zone that does not exist',
    {
      ...scheduled,
      schedules: [schedule()],
      sites: [{ _id: 'site', account: 'acme', name: 'S', timeZone: 'Mars/Olympus', calendars: [] }],
    },
  ],
  ['holiday_closed', 'a holiday', { ...scheduled, schedules: [schedule()], holidays: [holiday()] }],
  [
    'adhoc_not_started',
    'a visit tomorrow',
    { rules: [rule({ adhoc: { from: '2026-11-19T00:00:00Z', until: '2026-11-20T00:00:00Z' } })] },
  ],
  [
    'adhoc_ended',
    'a visit that ends this very moment',
    { rules: [rule({ adhoc: { from: '2026-11-17T00:00:00Z', until: '2026-11-18T12:00:00Z' } })] },
  ],
  ['interlock', 'another door of the interlock open', {}, { state: { ...clear, interlock: 'violated' } }],
  ['interlock_unavailable', 'a server that cannot be asked', {}, { state: { ...clear, interlock: 'unavailable' } }],
  ['antipassback', 'a second entry', {}, { state: { ...clear, antipassback: 'violated' } }],
  ['first_person_absent', 'the first person has not arrived', {}, { state: { ...clear, firstPerson: 'violated' } }],
  ['pin_required', 'no PIN yet', { doors: [door({ requiresPin: true })] }],
  ['pin_invalid', 'a wrong PIN', { doors: [door({ requiresPin: true })] }, { pin: 'invalid' }],
  ['pin_locked', 'a locked PIN', { doors: [door({ requiresPin: true })] }, { pin: 'locked' }],
  ['pin_invalid', 'a wrong PIN without a card', {}, { ...pinAlone, pin: 'invalid' }],
  ['pin_locked', 'a locked keypad', {}, { ...pinAlone, pin: 'locked' }],
  ['card_required', 'a PIN alone where a card is needed too', ownPin, { ...pinAlone, credential: 'pin' }],
  ['second_person_required', 'one of two persons', { doors: [door({ requiresTwoPersons: true })] }],
  [
    'second_person_absent',
    'no second person in time',
    { doors: [door({ requiresTwoPersons: true })] },
    { secondPerson: 'absent' },
  ],
  ['remote_approval_required', 'no approval requested yet', { doors: [door({ requiresRemoteAuth: true })] }],
  ['remote_denied', 'denied by an operator', { doors: [door({ requiresRemoteAuth: true })] }, { approval: 'denied' }],
  ['remote_timeout', 'no operator answered', { doors: [door({ requiresRemoteAuth: true })] }, { approval: 'timeout' }],
  [
    'remote_unavailable',
    'the server is unreachable',
    { doors: [door({ requiresRemoteAuth: true })] },
    { approval: 'unavailable' },
  ],
]

const verdictOf = new Map<ReasonCode, Verdict>([
  ['pin_required', 'needs_pin'],
  ['second_person_required', 'needs_second_person'],
  ['remote_approval_required', 'needs_approval'],
])

describe('a decision refuses', () => {
  test.each(refusals)('%s: %s', (reason, _, changes, attempt) => {
    const decision = decide(changes, attempt)
    expect(decision.reason).toBe(reason)
    expect(decision.verdict).toBe(verdictOf.get(reason) ?? 'deny')
    const refusing = decision.findings.find(({ outcome }) => outcome === 'refused')
    expect(refusing && reasonsOfStep[refusing.step]).toContain(reason)
  })

  test('for every reason except unit_out_of_step, which is set afterwards', () => {
    const tested = new Set(refusals.map(([reason]) => reason))
    expect(reasonCodes.filter((reason) => !tested.has(reason))).toEqual(['unit_out_of_step'])
  })
})

describe('a decision grants', () => {
  const grants: [string, Partial<Policy>, Partial<Attempt>?][] = [
    ['a user whom a rule names', {}],
    [
      'a user through groups',
      {
        userGroups: [group()],
        doorGroups: [group({ _id: 'bays', members: ['door'] })],
        rules: [rule({ who: [{ kind: 'User Group', id: 'warehouse' }], where: [{ kind: 'Door Group', id: 'bays' }] })],
      },
    ],
    ['a user at every door of a site', { rules: [rule({ where: [{ kind: 'Site', id: 'site' }] })] }],
    [
      'a user at every site of a group',
      {
        siteGroups: [group({ _id: 'north', members: ['site'] })],
        rules: [rule({ where: [{ kind: 'Site Group', id: 'north' }] })],
      },
    ],
    ['by a rule of an account above the door’s', { rules: [rule({ account: 'group' })] }],
    ['within the hours of the schedule', { ...scheduled, schedules: [schedule()] }],
    [
      'within the union of several schedules',
      {
        rules: [rule({ schedule: 'day-shift' }), rule({ _id: 'mornings', schedule: 'mornings' })],
        schedules: [closed, schedule({ _id: 'mornings' })],
      },
    ],
    [
      'from the first moment of a visit',
      { rules: [rule({ adhoc: { from: '2026-11-18T12:00:00Z', until: '2026-11-18T13:00:00Z' } })] },
    ],
    ['a user recertified in time', { accounts: yearly, users: [user({ lastRecertifiedAt: '2026-09-12T00:00:00Z' })] }],
    [
      'a new user until the first recertification is due',
      { accounts: yearly, users: [user({ validFrom: '2026-09-12T00:00:00Z' })] },
    ],
    ['the right PIN', { doors: [door({ requiresPin: true })] }, { pin: 'valid' }],
    [
      'a PIN alone where it is accepted',
      { ...ownPin, doors: [door({ requiresPin: true, acceptsPinAlone: true })] },
      { ...pinAlone, credential: 'pin' },
    ],
    ['the first of two persons', { doors: [door({ requiresTwoPersons: true })] }, { secondPerson: 'present' }],
    ['a second entry that is only reported', {}, { state: { ...clear, antipassback: 'tolerated' } }],
    [
      'entering again, and before the first person, while the door is unlocked',
      { doors: [door({ mode: 'unlocked' })] },
      { state: { ...clear, antipassback: 'violated', firstPerson: 'violated' } },
    ],
    ['an approved request', { doors: [door({ requiresRemoteAuth: true })] }, { approval: 'granted' }],
    [
      'without PIN and approval while the door is unlocked',
      { doors: [door({ requiresPin: true, requiresRemoteAuth: true, mode: 'unlocked' })] },
    ],
    ['if a deny is for the other direction', { rules: [rule(), rule({ ...denying, direction: 'exit' })] }],
    [
      'if a deny has ended',
      { rules: [rule(), rule({ ...denying, adhoc: { from: '2026-11-16T00:00:00Z', until: '2026-11-17T00:00:00Z' } })] },
    ],
    [
      'if a deny’s schedule is closed',
      { rules: [rule(), rule({ ...denying, schedule: 'day-shift' })], schedules: [closed] },
    ],
    [
      'outside the holiday hours of a deny’s schedule',
      {
        rules: [rule(), rule({ ...denying, schedule: 'day-shift' })],
        holidays: [holiday()],
        schedules: [
          schedule({
            holidayHours: { public: 'closed', company: [{ start: '08:00', end: '10:00' }], special: 'closed' },
          }),
        ],
      },
    ],
  ]
  test.each(grants)('%s', (_, changes, attempt) => {
    expect(decide(changes, attempt)).toMatchObject({ verdict: 'grant', reason: null })
  })
})

test('a controller that names a credential as the PIN of a user learns nothing about cards, or about other accounts', () => {
  const named = (changes: Partial<Policy>, credentialId: string) =>
    findingOf(
      decide(
        { doors: [door({ acceptsPinAlone: true })], ...changes },
        { ...pinAlone, pin: 'invalid', credential: credentialId },
      ),
      'credential',
    )
  expect(named({}, 'card')?.facts.credential).toBeUndefined()
  const elsewhere = credential({ _id: 'pin', kind: 'pin', number: '2580', account: 'other', user: 'olga' })
  const olga = user({ _id: 'olga', account: 'other' })
  expect(named({ credentials: [elsewhere], users: [olga] }, 'pin')?.facts.credential).toBeUndefined()
  expect(named(ownPin, 'pin')?.facts.credential?._id).toBe('pin')
})

describe('a deny fails closed', () => {
  const withDeny = (changes: Partial<Policy>) =>
    decide({ rules: [rule(), rule({ ...denying, schedule: 'day-shift' })], ...changes })
  test.each<[string, Partial<Policy>]>([
    ['its schedule is deleted', { schedules: [] }],
    [
      'its schedule cannot be read',
      { schedules: [schedule({ windows: [{ days: [0], start: '00:00', end: '24:00' }] })] },
    ],
    ['a holiday closes its schedule', { schedules: [schedule()], holidays: [holiday()] }],
    ['the zone of its site is unknown', { schedules: [closed], sites: [] }],
  ])('it applies if %s', (_, changes) => {
    expect(withDeny(changes).reason).toBe('denied_by_rule')
  })
  test('the findings list all deny rules, in the order of their ids', () => {
    const rules = [rule({ ...denying, _id: 'b' }), rule(), rule({ ...denying, _id: 'a' })]
    const facts = gatherFacts(policyIndex(samplePolicy()), {
      door: 'door',
      credential: 'card',
      direction: 'entry',
      at: noon,
    })
    const deny = rules.filter(({ effect }) => effect === 'deny').map((found) => ({ ...found, schedule: null }))
    const found = findingOf(decideAccess({ ...facts, rules: { ...facts.rules, deny } }), 'deny_rule')?.facts
    expect(found?.rule?._id).toBe('a')
    expect(found?.otherRules?.map((other) => other.rule?._id)).toEqual(['b'])
  })
  test('it applies if its time box cannot be read', () => {
    const rules = [rule(), rule({ ...denying, adhoc: { from: 'once', until: 'later' } })]
    expect(decide({ rules }).reason).toBe('denied_by_rule')
  })
})

describe('the findings', () => {
  test('include one for each step, in order, and survive JSON unchanged', () => {
    for (const [, , changes, attempt] of refusals) {
      const { findings } = decide(changes, attempt)
      expect(findings.map(({ step }) => step)).toEqual(decisionSteps)
      expect(JSON.parse(JSON.stringify(findings))).toStrictEqual(findings)
    }
  })

  test('continue after the first refusal, which gives the reason', () => {
    const decision = decide({
      doors: [door({ enabled: false, mode: 'blocked', requiresPin: true })],
      credentials: [credential({ status: 'lost' })],
      users: [user({ status: 'suspended' })],
      ...barred,
    })
    expect(decision.reason).toBe('door_disabled')
    expect(decision.findings.map(({ outcome, reason }) => reason ?? outcome)).toEqual([
      'door_disabled',
      'door_blocked',
      'credential_lost',
      'holder_inactive',
      'denied_by_rule',
      'passed',
      'not_asked',
      'not_asked',
      'not_asked',
      'not_asked',
    ])
  })

  test('name the lockdowns because of which a door is locked down', () => {
    const lockdowns = [{ _id: 'lockdown', name: 'Everything' }]
    const facts = (changes: Partial<Door>) =>
      findingOf(decide({ doors: [door({ lockdowns, ...changes })] }), 'mode')?.facts
    expect(facts({ mode: 'lockdown' })).toEqual({ mode: 'lockdown', lockdowns })
    expect(facts({ mode: 'lockdown', lockdowns: [] })).toEqual({ mode: 'lockdown' })
  })

  test('mark steps that could not be checked: for an unknown card, its holder and the rules', () => {
    const { findings } = decide({}, { credentialNumber: '1' })
    expect(findings.filter(({ outcome }) => outcome === 'not_asked').map(({ step }) => step)).toEqual([
      'holder',
      'deny_rule',
      'allow_rule',
      'state',
      'pin',
      'second_person',
      'approval',
    ])
  })

  test('do not check the PIN of a user who may not pass', () => {
    const decision = decide({ doors: [door({ requiresPin: true })], rules: [] }, { pin: 'invalid' })
    expect(decision.reason).toBe('no_access')
    expect(findingOf(decision, 'pin')?.outcome).toBe('not_asked')
  })

  test('report the groups through which a rule names user and door, and since when its schedule is closed', () => {
    const decision = decide(
      {
        userGroups: [group()],
        doorGroups: [group({ _id: 'bays', name: 'Loading bays', members: ['door'] })],
        schedules: [schedule()],
        rules: [
          rule({
            who: [{ kind: 'User Group', id: 'warehouse' }],
            where: [{ kind: 'Door Group', id: 'bays' }],
            schedule: 'day-shift',
          }),
        ],
      },
      { at: Date.parse('2026-11-20T18:42:07Z') },
    )
    expect(findingOf(decision, 'allow_rule')).toEqual({
      step: 'allow_rule',
      outcome: 'refused',
      reason: 'outside_schedule',
      facts: {
        rule: { _id: 'rule', name: 'Warehouse staff' },
        via: {
          who: { kind: 'User Group', _id: 'warehouse', name: 'Warehouse' },
          where: { kind: 'Door Group', _id: 'bays', name: 'Loading bays' },
        },
        direction: 'entry',
        ruleDirection: 'both',
        schedule: { _id: 'day-shift', name: 'Day shift' },
        timeZone: 'Europe/London',
        closedSince: '2026-11-20T18:00:00.000Z',
        opensAt: '2026-11-23T06:00:00.000Z',
      },
    })
  })

  test('name the holiday that closed the schedule', () => {
    const decision = decide({ ...scheduled, schedules: [schedule()], holidays: [holiday()] })
    expect(findingOf(decision, 'allow_rule')?.facts.holiday?.name).toBe("Founders' Day")
  })

  test('report the closed schedule that is nearest to open first, then the others', () => {
    const later = schedule({ _id: 'later', windows: [{ days: [3], start: '12:05', end: '18:00' }] })
    const decision = decide({
      schedules: [closed, later],
      rules: [
        rule({ _id: 'a', direction: 'exit' }),
        rule({ _id: 'b', schedule: 'gone' }),
        rule({ _id: 'c', schedule: 'day-shift' }),
        rule({ _id: 'd', schedule: 'later' }),
        rule({ _id: 'e', adhoc: { from: '2026-11-16T00:00:00Z', until: '2026-11-18T11:50:00Z' } }),
      ],
    })
    const found = findingOf(decision, 'allow_rule')
    expect(found?.reason).toBe('outside_schedule')
    expect(found?.facts.rule?._id).toBe('d')
    expect(found?.facts.otherRules?.map((other) => [other.rule?._id, other.reason])).toEqual([
      ['e', 'adhoc_ended'],
      ['c', 'outside_schedule'],
      ['b', 'outside_schedule'],
      ['a', 'no_access'],
    ])
  })
})

test('deny beats allow, with any other rules', () => {
  const schedules = [schedule(), closed, schedule({ _id: 'never', windows: [] })]
  const allow = fc
    .record({
      _id: fc.uuid(),
      direction: fc.constantFrom('entry' as const, 'both' as const),
      schedule: fc.constantFrom(null, 'day-shift', 'never', 'gone'),
    })
    .map(rule)
  fc.assert(
    fc.property(fc.array(allow, { maxLength: 5 }), fc.nat({ max: 5 }), (allows, position) => {
      const rules = allows.toSpliced(position, 0, denying)
      expect(decide({ rules, schedules }).reason).toBe('denied_by_rule')
    }),
    { numRuns: 200 },
  )
})
