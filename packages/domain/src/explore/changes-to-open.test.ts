import { describe, expect, test } from 'vitest'
import { changeToOpen } from './changes-to-open.ts'
import { decideAccess } from '../decision/decide-access.ts'
import { gatherFacts, policyIndex } from '../decision/gather-facts.ts'
import type { Policy } from '../policy.ts'
import { credential, door, holiday, rule, samplePolicy, schedule, user } from '../sample-policy.ts'

const wednesdayNoon = Date.parse('2026-11-18T12:00:00Z')
const past = '2026-01-01T00:00:00Z'
const future = '2027-01-01T00:00:00Z'
const shift = { rules: [rule({ schedule: 'day-shift' })], schedules: [schedule()] }
const night = schedule({ windows: [{ days: [3], start: '22:00', end: '23:00' }] })

function changesFor(changes: Partial<Policy>) {
  const index = policyIndex(samplePolicy(changes))
  const attempt = { door: 'door', credentialNumber: '0412-88213', direction: 'entry', at: wednesdayNoon } as const
  const { findings } = decideAccess(gatherFacts(index, attempt))
  return findings.flatMap((finding) => {
    const change = changeToOpen(finding)
    return change ? [`${change.code} ${change.of?.kind ?? ''} ${change.of?._id ?? ''}`.trim()] : []
  })
}

describe('the change to open a door', () => {
  test.each<[string, Partial<Policy>, string[]]>([
    ['none, because the door opens', {}, []],
    ['a disabled door', { doors: [door({ enabled: false })] }, ['enable_door door door']],
    ['a door without a controller', { doors: [door({ unit: null })] }, ['wire_door door door']],
    [
      'a disabled controller',
      { units: [{ _id: 'unit', account: 'acme', name: 'Unit 1', site: 'site', inService: false }] },
      ['return_unit_to_service unit unit'],
    ],
    ['a lockdown', { doors: [door({ mode: 'lockdown' })] }, ['end_lockdown']],
    ['a blocked door', { doors: [door({ mode: 'blocked' })] }, ['return_door_to_schedule']],
    ['an unknown number', { credentials: [] }, ['add_credential']],
    ['an unassigned card', { credentials: [credential({ user: null })] }, ['assign_credential credential card']],
    [
      'a suspended card',
      { credentials: [credential({ status: 'suspended' })] },
      ['activate_credential credential card'],
    ],
    ['a lost card', { credentials: [credential({ status: 'lost' })] }, ['replace_credential credential card']],
    [
      'a card that is not yet valid',
      { credentials: [credential({ validFrom: future })] },
      ['start_credential_earlier credential card'],
    ],
    ['an expired card', { credentials: [credential({ validUntil: past })] }, ['extend_credential credential card']],
    ['a user who is not yet valid', { users: [user({ validFrom: future })] }, ['start_person_earlier user nomsa']],
    ['an expired user', { users: [user({ validUntil: past })] }, ['extend_person user nomsa']],
    ['a suspended user', { users: [user({ status: 'suspended' })] }, ['activate_person user nomsa']],
    ['no rule', { rules: [] }, ['add_rule']],
    ['a rule for the other direction', { rules: [rule({ direction: 'exit' })] }, ['widen_direction rule rule']],
    ['a rule whose schedule is deleted', { rules: [rule({ schedule: 'gone' })] }, ['restore_schedule rule rule']],
    ['other hours', { ...shift, schedules: [night] }, ['widen_schedule schedule day-shift']],
    ['a holiday', { ...shift, holidays: [holiday()] }, ['give_holiday_hours schedule day-shift']],
    [
      'a time box that has ended',
      { rules: [rule({ adhoc: { from: past, until: past } })] },
      ['extend_adhoc rule rule'],
    ],
    [
      'a time box that has not started',
      { rules: [rule({ adhoc: { from: future, until: future } })] },
      ['start_adhoc_earlier rule rule'],
    ],
    ['a deny rule', { rules: [rule(), rule({ _id: 'deny', effect: 'deny' })] }, ['lift_deny_rule rule deny']],
    ['a PIN', { doors: [door({ requiresPin: true })] }, ['enter_pin']],
    ['an approval', { doors: [door({ requiresRemoteAuth: true })] }, ['ask_for_approval']],
    [
      'several refusals at once',
      { doors: [door({ enabled: false })], users: [user({ status: 'suspended' })], rules: [] },
      ['enable_door door door', 'activate_person user nomsa', 'add_rule'],
    ],
  ])('for %s', (_, changes, expected) => {
    expect(changesFor(changes)).toEqual(expected)
  })
})
