import { expect, test } from 'vitest'
import { compileUnit } from './configuration/compile-unit.ts'
import { type DecideOnUnit, decideOnUnit } from './configuration/decide-on-unit.ts'
import type { UnitMemory } from './configuration/state-on-unit.ts'
import { type ShownAtDoor, stateNotChecked } from './decision/access-facts.ts'
import { policyIndex } from './decision/gather-facts.ts'
import { pinNumber } from './decision/presented-credential.ts'
import { type ReasonCode, reasonCodes } from './decision/reasons.ts'
import { resolveDecision } from './decision/resolve-decision.ts'
import { exploreAccess } from './explore/explore-access.ts'
import type { Policy } from './policy.ts'
import { credential, door, group, holiday, rule, samplePolicy, schedule, user } from './sample-policy.ts'
import { withoutInterruption } from './steps.ts'

/** A Wednesday, within the day shift. */
const noon = Date.parse('2026-11-18T12:00:00Z')
const night = Date.parse('2026-11-18T22:00:00Z')
const [yesterday, tomorrow] = ['2026-11-17T12:00:00Z', '2026-11-19T12:00:00Z']
const hashNumber = (number: string) => `#${number}`
const { number } = credential()
const nothing: UnitMemory = { open: new Set(), passages: {}, firstPersonAt: {}, granted: [] }

type Case = {
  policy?: Partial<Policy>
  at?: number
  /** What the unit observes at the door. */
  shown?: ShownAtDoor
  onUnit?: Partial<DecideOnUnit>
  /** The reason on a unit whose configuration lacks what the server knows; absent: the same. */
  unitReason?: ReasonCode
  /** The reason in the explorer, which has no door in front of it; absent: the same. */
  explored?: ReasonCode | null
  /** Of the reader; absent: the card. */
  presented?: { number: string } | { pin: string }
}

const oneCard = (changes: Parameters<typeof credential>[0]) => ({ policy: { credentials: [credential(changes)] } })
const unknown = { unitReason: 'credential_unknown' } as const
const pinDoor = { doors: [door({ requiresPin: true })] }
/** Only the other door opens with a PIN alone. */
const pinAlone = {
  doors: [door(), door({ _id: 'other', unitDoor: 2, acceptsPinAlone: true })],
  credentials: [credential({ _id: 'pin', kind: 'pin', number: '2589' })],
  rules: [rule({ where: ['door', 'other'].map((id) => ({ kind: 'Door' as const, id })) })],
}
const twoDoor = { doors: [door({ requiresTwoPersons: true })] }
const approvalDoor = { doors: [door({ requiresRemoteAuth: true })] }
const byDay = { rules: [rule({ schedule: 'day-shift' })], schedules: [schedule()] }
const adhoc = (from: string, until: string) => ({ rules: [rule({ adhoc: { from, until } })] })
const recertified = (recertifyEveryDays: number) => ({
  accounts: samplePolicy().accounts.map((each) => (each._id === 'acme' ? { ...each, recertifyEveryDays } : each)),
})
const area = { doorGroups: [group({ _id: 'vault', members: ['door'], antiPassback: { kind: 'hard', minutes: 1 } })] }

const cases: Record<Exclude<ReasonCode, 'unit_out_of_step'>, Case> = {
  door_unknown: { policy: { doors: [] } },
  door_disabled: { policy: { doors: [door({ enabled: false })] } },
  unit_out_of_service: {
    policy: { units: [{ _id: 'unit', account: 'acme', name: 'Unit 1', site: 'site', inService: false }] },
  },
  door_locked_down: { policy: { doors: [door({ mode: 'lockdown' })] } },
  door_blocked: { policy: { doors: [door({ mode: 'blocked' })] } },
  credential_unknown: { presented: { number: 'unused' } },
  card_required: { policy: pinAlone, presented: { pin: '2589' }, explored: null },
  credential_unassigned: { ...oneCard({ user: null }), ...unknown },
  credential_suspended: { ...oneCard({ status: 'suspended' }), ...unknown },
  credential_lost: { ...oneCard({ status: 'lost' }), ...unknown },
  credential_stolen: { ...oneCard({ status: 'stolen' }), ...unknown },
  credential_revoked: { ...oneCard({ status: 'revoked' }), ...unknown },
  not_yet_valid: oneCard({ validFrom: tomorrow }),
  expired: oneCard({ validUntil: yesterday }),
  holder_inactive: { policy: { users: [user({ status: 'suspended' })] }, ...unknown },
  recertification_overdue: {
    policy: { ...recertified(1), users: [user({ lastRecertifiedAt: '2026-11-01T12:00:00Z' })] },
  },
  denied_by_rule: { policy: { rules: [rule(), rule({ _id: 'deny', effect: 'deny' })] } },
  no_access: {
    policy: {
      doors: [door(), door({ _id: 'other', unitDoor: 2 })],
      rules: [rule({ where: [{ kind: 'Door', id: 'other' }] })],
    },
  },
  outside_schedule: { policy: byDay, at: night },
  holiday_closed: { policy: { ...byDay, holidays: [holiday()] } },
  adhoc_not_started: { policy: adhoc(tomorrow, '2026-11-20T12:00:00Z') },
  adhoc_ended: { policy: adhoc('2026-11-16T12:00:00Z', yesterday) },
  interlock: {
    policy: {
      doors: [door(), door({ _id: 'inner', unitDoor: 2 })],
      interlockingGroups: [group({ _id: 'lock', members: ['door', 'inner'] })],
    },
    shown: { state: { ...stateNotChecked, interlock: 'violated' } },
    onUnit: { memory: { ...nothing, open: new Set([2]) } },
    explored: null,
  },
  interlock_unavailable: {
    policy: {
      doors: [door(), door({ _id: 'inner', unit: 'other' })],
      units: [...samplePolicy().units, { _id: 'other', account: 'acme', name: 'Unit 2', site: 'site' }],
      interlockingGroups: [group({ _id: 'lock', members: ['door', 'inner'] })],
    },
    shown: { state: { ...stateNotChecked, interlock: 'unavailable' } },
    onUnit: { memory: nothing, sharedInterlock: 'unavailable' },
    explored: null,
  },
  antipassback: {
    policy: area,
    shown: { state: { ...stateNotChecked, antipassback: 'violated' } },
    onUnit: { memory: { ...nothing, passages: { vault: { nomsa: { direction: 'entry', at: noon - 1_000 } } } } },
    explored: null,
  },
  first_person_absent: {
    policy: { doors: [door({ firstPersonGroup: 'managers' })], userGroups: [group({ _id: 'managers', members: [] })] },
    shown: { state: { ...stateNotChecked, firstPerson: 'violated' } },
    onUnit: { memory: nothing },
    explored: null,
  },
  pin_required: { policy: pinDoor },
  pin_invalid: { policy: pinDoor, shown: { pin: 'invalid' }, onUnit: { pinKey: 'wrong' }, explored: 'pin_required' },
  pin_locked: {
    policy: pinDoor,
    shown: { pin: 'locked' },
    onUnit: { pinKey: 'wrong', isPinLocked: true },
    explored: 'pin_required',
  },
  second_person_required: { policy: twoDoor },
  second_person_absent: { policy: twoDoor, shown: { secondPerson: 'absent' }, explored: 'second_person_required' },
  remote_approval_required: { policy: approvalDoor },
  remote_denied: { policy: approvalDoor, shown: { approval: 'denied' }, explored: 'remote_approval_required' },
  remote_timeout: { policy: approvalDoor, shown: { approval: 'timeout' }, explored: 'remote_approval_required' },
  remote_unavailable: {
    policy: approvalDoor,
    shown: { approval: 'unavailable' },
    explored: 'remote_approval_required',
  },
}

test.each(Object.entries(cases))('§3 a unit, the server and the explorer deny for the reason %s', (code, row) => {
  const { policy = {}, at = noon, shown = {}, onUnit = {}, unitReason = code, explored = code, presented } = row
  const index = policyIndex(samplePolicy(policy))
  const config = compileUnit({ index, unit: 'unit', at: noon, hashNumber })
  const common = { direction: 'entry', at } as const
  const pin = presented && 'pin' in presented ? presented.pin : undefined
  const read = presented && 'number' in presented ? presented.number : number
  const keys = pin === undefined ? { credentialKey: hashNumber(read) } : { pinKey: hashNumber(pinNumber(pin)) }
  const { state, ...rest } = shown
  const onDoor = decideOnUnit(config, { ...common, unitDoor: 1, ...keys, ...(onUnit.pinKey ? {} : rest), ...onUnit })
  expect(onDoor.reason).toBe(unitReason)

  const attempt = {
    ...common,
    unit: 'unit',
    door: 'door',
    ...(state ? { state } : {}),
    ...(pin === undefined ? { credentialNumber: read } : { isPinAlone: true, credential: 'pin' }),
  }
  const unitVerdict = onDoor.verdict === 'grant' ? 'grant' : 'deny'
  const resolved = resolveDecision(index, { attempt, unitVerdict, unitReason: onDoor.reason })
  expect(resolved).toMatchObject({ reason: code, outOfStep: false })

  if (explored !== null) {
    const question = { ...common, door: index.doors.get('door') ?? door({ _id: 'unwired' }), who: { number: read } }
    const { best } = withoutInterruption(exploreAccess(index, question))
    expect(best.decision.reason).toBe(explored)
  }
})

test('§3 the table has every reason, except the one that compares a unit with the server', () => {
  expect([...Object.keys(cases), 'unit_out_of_step'].toSorted()).toEqual([...reasonCodes].toSorted())
  const index = policyIndex(samplePolicy({ rules: [] }))
  const attempt = { unit: 'unit', door: 'door', credentialNumber: number, direction: 'entry', at: noon } as const
  expect(resolveDecision(index, { attempt, unitVerdict: 'grant', unitReason: null }).reason).toBe('unit_out_of_step')
})
