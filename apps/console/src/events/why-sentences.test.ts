import { decideAccess } from '@portcullis/domain/decision/decide-access'
import { type Attempt, gatherFacts, policyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Policy } from '@portcullis/domain/policy'
import { decisionSteps, findingOutcomes, type ReasonCode, reasonCodes } from '@portcullis/domain/decision/reasons'
import {
  credential,
  door,
  group,
  holiday,
  rule,
  samplePolicy,
  schedule,
  site,
  user,
} from '@portcullis/domain/sample-policy'
import { expect, test } from 'vitest'
import { plain } from '../text/phrase.ts'
import { text } from '../text/text.ts'
import { sampleEvent } from './sample-event.ts'
import { decisionChecks } from '../why/why-checks.ts'
import { reasonOf } from './event-words.ts'
import { whySentences } from './why-sentences.ts'
import { type Check, type Event, explanationOf } from '../why/explanation.ts'

// Wednesday evening, 42 minutes after the day shift, in a London winter.
const at = '2026-11-18T18:42:07.000Z'

type Case = { policy?: Partial<Policy>; attempt?: Partial<Attempt>; headline: string; story: string; refused: string }

const dayShift = { schedules: [schedule()], rules: [rule({ schedule: 'day-shift' })] }
const adhoc = { from: '2026-11-18T08:00:00.000Z', until: '2026-11-18T17:00:00.000Z' }
const notChecked = { interlock: 'not_asked', antipassback: 'not_asked', firstPerson: 'not_asked' } as const
const approving = { doors: [door({ requiresRemoteAuth: true })] }
const forTwo = { doors: [door({ requiresTwoPersons: true })] }
const asksPin = { doors: [door({ requiresPin: true })] }

const cases = {
  door_unknown: {
    attempt: { door: 'no-door' },
    headline: 'The controller has no such door',
    story: 'No door is wired to that number on the controller.',
    refused: 'Unknown door on this controller',
  },
  door_disabled: {
    policy: { doors: [door({ enabled: false })] },
    headline: 'Loading Bay 2 is disabled',
    story: 'A disabled door denies all access.',
    refused: 'Loading Bay 2 is disabled; on Unit 1',
  },
  unit_out_of_service: {
    policy: { doors: [door({ unit: null })] },
    headline: 'The controller of Loading Bay 2 is disabled',
    story: 'While its controller is disabled, the door denies all access.',
    refused: 'The controller of this door is disabled',
  },
  door_locked_down: {
    attempt: { mode: 'lockdown' },
    headline: 'Loading Bay 2 was locked down',
    story: 'A lockdown denies all access until it ends.',
    refused: 'The door is locked down',
  },
  door_blocked: {
    attempt: { mode: 'blocked' },
    headline: 'Loading Bay 2 was blocked',
    story: 'A blocked door denies all access until it returns to its schedule.',
    refused: 'The door is blocked',
  },
  credential_unknown: {
    attempt: { credentialNumber: '031-40877' },
    headline: 'Unknown credential',
    story: 'No credential of this account has the number 0412-88213.',
    refused: 'Unknown number 0412-88213',
  },
  credential_unassigned: {
    policy: { credentials: [credential({ user: null })] },
    headline: 'This card is not assigned to a user',
    story: 'It is registered, but not assigned to a user.',
    refused: 'Card not assigned to a user',
  },
  credential_suspended: {
    policy: { credentials: [credential({ status: 'suspended' })] },
    headline: 'This card is suspended',
    story: 'It does not open any door until it is active again.',
    refused: 'Card suspended',
  },
  credential_lost: {
    policy: { credentials: [credential({ status: 'lost' })] },
    headline: 'This card was reported lost',
    story: 'It no longer opens any door.',
    refused: 'Card reported lost',
  },
  credential_stolen: {
    policy: { credentials: [credential({ status: 'stolen', kind: 'mobile' })] },
    headline: 'This mobile credential was reported stolen',
    story: 'It no longer opens any door.',
    refused: 'Mobile credential reported stolen',
  },
  credential_revoked: {
    policy: { credentials: [credential({ status: 'revoked' })] },
    headline: 'This card was revoked',
    story: 'A revoked card no longer opens any door.',
    refused: 'Card revoked',
  },
  not_yet_valid: {
    policy: { credentials: [credential({ validFrom: '2027-01-01T09:30:00.000Z' })] },
    headline: 'Not valid before 1 Jan 2027, 09:30',
    story: 'The card becomes valid on 1 Jan 2027, 09:30.',
    refused: 'Card not valid before 1 Jan 2027, 09:30',
  },
  expired: {
    policy: { users: [user({ validUntil: '2026-11-01T00:00:00.000Z' })] },
    headline: 'Valid only until 31 Oct 2026',
    story: 'Nomsa Dlamini was valid until 31 Oct 2026.',
    refused: 'Nomsa Dlamini was valid until 31 Oct 2026',
  },
  holder_inactive: {
    policy: { users: [user({ status: 'suspended' })] },
    headline: 'Nomsa Dlamini is suspended',
    story: 'A suspended user cannot open doors.',
    refused: 'Nomsa Dlamini is suspended',
  },
  recertification_overdue: {
    policy: {
      accounts: [{ _id: 'acme', parent: null, name: 'Acme', recertifyEveryDays: 90 }],
      users: [user({ lastRecertifiedAt: '2026-06-01T00:00:00.000Z' })],
    },
    headline: 'Recertification of Nomsa Dlamini is overdue',
    story: 'It was due on 30 Aug 2026.',
    refused: 'Recertification of Nomsa Dlamini is overdue; recertification due 30 Aug 2026',
  },
  denied_by_rule: {
    policy: {
      userGroups: [group({ name: 'Contractors' })],
      rules: [
        rule(),
        rule({
          _id: 'deny',
          name: 'No contractors',
          effect: 'deny',
          who: [{ kind: 'User Group', id: 'warehouse' }],
          where: [{ kind: 'Site', id: 'site' }],
        }),
      ],
    },
    headline: 'Denied by No contractors',
    story: 'No contractors denies access, and a deny rule overrides every allow rule.',
    refused: 'Deny rule No contractors applies; through group Contractors and site Cold Store',
  },
  no_access: {
    policy: { rules: [] },
    headline: 'No rule grants Nomsa Dlamini access to this door',
    story: 'No enabled rule includes both the cardholder and the door.',
    refused: 'No rule includes Nomsa Dlamini and this door',
  },
  outside_schedule: {
    policy: dayShift,
    headline: 'Outside schedule, by 42 minutes',
    story: 'Warehouse staff grants access until 18:00.',
    refused:
      'Schedule Day shift was closed; Mon to Fri 06:00 to 18:00, site time; closed since 18:00; next open Thu 06:00',
  },
  holiday_closed: {
    policy: { ...dayShift, holidays: [holiday()] },
    headline: "Closed for Founders' Day",
    story: "Warehouse staff includes this door, but Day shift is closed on Founders' Day.",
    refused:
      "Schedule Day shift was closed for Founders' Day; Mon to Fri 06:00 to 18:00, site time; next open Thu 06:00",
  },
  adhoc_not_started: {
    policy: { rules: [rule({ adhoc: { from: '2026-11-18T20:42:07.000Z', until: '2026-11-19T08:00:00.000Z' } })] },
    headline: 'Temporary access not started, 2 hours early',
    story: 'Warehouse staff grants access from 20:42.',
    refused: 'Temporary access starts 20:42',
  },
  adhoc_ended: {
    policy: { rules: [rule({ adhoc })] },
    headline: 'Temporary access ended 1 hour before',
    story: 'Warehouse staff granted access until 17:00.',
    refused: 'Temporary access ended 17:00',
  },
  interlock: {
    attempt: { state: { ...notChecked, interlock: 'violated' } },
    headline: 'Another door of the interlock was open or unlocked',
    story: 'Only one of these doors may be open at a time.',
    refused: 'Another door of the interlock was open or unlocked',
  },
  interlock_unavailable: {
    attempt: { state: { ...notChecked, interlock: 'unavailable' } },
    headline: 'It was not known whether the other doors were closed',
    story:
      'The doors of this interlock belong to several controllers. One of these had not reported its door as closed, or the server could not be reached. Request to exit still opens the door.',
    refused: 'It was not known whether the other doors of the interlock were closed',
  },
  antipassback: {
    attempt: { state: { ...notChecked, antipassback: 'violated' } },
    headline: 'Anti-passback: already on that side',
    story: 'The cardholder has to leave before entering again.',
    refused: 'Anti-passback: already on that side',
  },
  first_person_absent: {
    attempt: { state: { ...notChecked, firstPerson: 'violated' } },
    headline: 'The first person has not entered yet',
    story: 'The door opens for others once the first person has entered.',
    refused: 'The first person has not entered yet',
  },
  pin_required: {
    policy: asksPin,
    headline: 'A PIN is required here',
    story: 'No PIN was entered.',
    refused: 'A PIN is required and was not entered',
  },
  pin_invalid: {
    policy: asksPin,
    attempt: { pin: 'invalid' },
    headline: 'The PIN was wrong',
    story: 'The PIN entered does not match this credential.',
    refused: 'The PIN was wrong',
  },
  pin_locked: {
    policy: asksPin,
    attempt: { pin: 'locked' },
    headline: 'The PIN is locked',
    story: 'Too many wrong PINs were entered.',
    refused: 'The PIN is locked after too many wrong attempts',
  },
  card_required: {
    policy: { credentials: [credential({ _id: 'pin', kind: 'pin', number: '2580' })] },
    attempt: { isPinAlone: true, credential: 'pin' },
    headline: 'A card is required here, too',
    story: 'A PIN was entered without a card.',
    refused: 'A PIN alone does not open this door',
  },
  second_person_required: {
    policy: forTwo,
    headline: 'A second person is required here',
    story: 'The door opens only for two users with access.',
    refused: 'A second person with access is required',
  },
  second_person_absent: {
    policy: forTwo,
    attempt: { secondPerson: 'absent' },
    headline: 'No second person came',
    story: 'No other user with access presented a credential in time.',
    refused: 'No second person with access came in time',
  },
  remote_approval_required: {
    policy: approving,
    headline: 'Approval is required here',
    story: 'The door opens only after an operator approves.',
    refused: 'Approval is required and was not requested',
  },
  remote_denied: {
    policy: approving,
    attempt: { approval: 'denied' },
    headline: 'An operator denied it',
    story: 'The request to open this door was denied.',
    refused: 'An operator denied it',
  },
  remote_timeout: {
    policy: approving,
    attempt: { approval: 'timeout' },
    headline: 'No operator approved in time',
    story: 'The request to open this door expired without an answer.',
    refused: 'No operator answered in time',
  },
  remote_unavailable: {
    policy: approving,
    attempt: { approval: 'unavailable' },
    headline: 'No operator could be reached for approval',
    story: 'The controller could not reach the server to request approval.',
    refused: 'No operator could be reached',
  },
} satisfies Partial<Record<ReasonCode, Case>>

const table: [ReasonCode, Case][] = Object.entries<Case>(cases).flatMap(([code, row]) => {
  const reason = reasonCodes.find((each) => each === code)
  return reason ? [[reason, row]] : []
})

test.each(table)('%s is explained in a headline, a paragraph and a failed check', (reason, row) => {
  const event = decided(row)
  expect(event.reason).toBe(reason)
  const why = whySentences({ event, viewerZone: 'UTC', hoursOf: () => 'Mon to Fri 06:00 to 18:00' })
  expect(why.headline).toBe(row.headline)
  expect(plain(why.story.at(-1) ?? [])).toBe(row.story)
  const refused = why.checks.find(({ state }) => state === 'refused')
  expect(refused && spoken(refused)).toBe(row.refused)
})

test('every reason is in the table, except the one that compares two decisions', () => {
  expect(new Set([...table.map(([reason]) => reason), 'unit_out_of_step'])).toEqual(new Set(reasonCodes))
})

test('every reason has words for the list', () => {
  for (const reason of reasonCodes) expect(text(`reason.${reason}`)).not.toContain('reason.')
})

test('every step has a sentence, whatever its outcome', () => {
  for (const step of decisionSteps) {
    for (const outcome of findingOutcomes) {
      const event = sampleEvent({ reasons: [{ step, outcome, facts: {} }] })
      const checks = decisionChecks(explanationOf({ event, viewerZone: 'UTC' }))
      expect(checks.length, `${step} ${outcome}`).toBeGreaterThan(0)
      for (const check of checks) expect(spoken(check), `${step} ${outcome}`).toMatch(/^[A-Z].*[^.]$/)
    }
  }
})

test('checks after the refusal are listed too, as not made', () => {
  const why = whySentences({ event: decided({ policy: dayShift }), viewerZone: 'UTC' })
  expect(why.checks.map((check) => `${check.state}: ${spoken(check)}`)).toEqual([
    'passed: Door enabled; on Unit 1',
    'passed: Door mode normal',
    'passed: Card active',
    'passed: Nomsa Dlamini active',
    'passed: No deny rule applies',
    'passed: Rule Warehouse staff includes this door',
    'refused: Schedule Day shift was closed; closed since 18:00; next open Thu 06:00',
    'not_asked: Interlock, anti-passback and first person not checked',
    'not_asked: PIN not checked',
    'not_asked: Second person not checked',
    'not_asked: Approval not checked',
    'passed: Controller in sync: it used policy version 48,213',
  ])
})

test('a grant under duress says so first, in the list and in the explanation', () => {
  const granted = decided({})
  const event = { ...granted, data: { ...granted.data, note: { code: 'duress' } as const } }
  const why = whySentences({ event, viewerZone: 'UTC' })
  expect(why.headline).toBe('Duress PIN: the cardholder may be under threat')
  expect(why.story.map(plain)).toContain('Duress PIN: the cardholder may be under threat.')
  expect(reasonOf(event, 'UTC').line).toBe('Duress PIN: the cardholder may be under threat')
})

test('a grant lists what the controller checks at the door', () => {
  const policy = {
    doors: [door({ firstPersonGroup: 'warehouse' }), door({ _id: 'inner', name: 'Inner door', unitDoor: 2 })],
    userGroups: [group()],
    interlockingGroups: [group({ _id: 'lock', members: ['door', 'inner'] })],
    doorGroups: [
      group({ _id: 'vault', name: 'Vault', members: ['door'], antiPassback: { kind: 'timed', minutes: 10 } }),
    ],
  }
  const why = whySentences({ event: decided({ policy }), viewerZone: 'UTC' })
  expect(why.checks.map(spoken)).toContain(
    'Also checked by the controller at the door; interlock with Inner door; anti-passback in Vault for 10 minutes; first person from Warehouse',
  )
})

test('an iButton keeps its spelling where it begins a check', () => {
  const event = decided({ policy: { credentials: [credential({ kind: 'iButton' })] } })
  expect(whySentences({ event, viewerZone: 'UTC' }).checks.map(spoken)).toContain('iButton active')
})

test('the paragraph names the user, the credential, the door and the time at the site', () => {
  const event = decided({ policy: { sites: [site({ timeZone: 'Africa/Johannesburg' })] } })
  const [first] = whySentences({ event, viewerZone: 'UTC' }).story
  expect(plain(first ?? [])).toBe(
    'Nomsa Dlamini presented card 0412-88213 at Loading Bay 2 (in) on Wed 18 Nov at 20:42:07.',
  )
  expect(first).toContainEqual({ kind: 'strong', text: 'Nomsa Dlamini' })
  expect(first).toContainEqual({ kind: 'strong', text: 'Loading Bay 2' })
})

test('a grant names the rule that gave it, and until when', () => {
  const always = whySentences({ event: decided({}), viewerZone: 'UTC' })
  expect(always.headline).toBe('Granted by Warehouse staff')
  expect(plain(always.story[1] ?? [])).toBe('Warehouse staff grants access at all times.')
  const until = { rules: [rule({ adhoc: { ...adhoc, until: '2026-11-18T19:30:00.000Z' } })] }
  const boxed = whySentences({ event: decided({ policy: until }), viewerZone: 'UTC' })
  expect(plain(boxed.story[1] ?? [])).toBe('Warehouse staff grants access until 19:30.')
})

test('a rule for the other direction is named as the nearest miss', () => {
  const why = whySentences({ event: decided({ policy: { rules: [rule({ direction: 'exit' })] } }), viewerZone: 'UTC' })
  expect(why.headline).toBe('Warehouse staff does not apply in this direction')
  expect(why.checks.map(spoken)).toContain('Rule Warehouse staff includes this door, but only going out')
})

test('a deny rule for whose schedule the controller has no room always applies', () => {
  const policy = { ...dayShift, rules: [rule(), rule({ _id: 'deny', effect: 'deny', schedule: 'day-shift' })] }
  const attempt = { leftOut: { doors: [], schedules: ['day-shift'], oldestCredential: null } }
  const why = whySentences({ event: decided({ policy, attempt }), viewerZone: 'UTC' })
  expect(why.headline).toBe('No room on the controller')
  expect(plain(why.story[1] ?? [])).toBe(
    'The controller has no room for the schedule of Warehouse staff, so this deny rule always applies.',
  )
  expect(why.checks.map(spoken)).toContain(
    'Deny rule Warehouse staff applies; no room for its schedule on the controller, so it always applies',
  )
})

test('an event of a denial for lack of room says so once, by its findings or by its note', () => {
  const leftOut = { doors: [], schedules: [], oldestCredential: credential()._id }
  const stories = [decided({ attempt: { leftOut } }), decided({ policy: { rules: [] } })].map((event) => {
    const noted = { ...event, data: { ...event.data, note: { code: 'left_out' as const } } }
    expect(reasonOf(noted, 'UTC')).toEqual({ line: 'No room on the controller', second: '' })
    return whySentences({ event: noted, viewerZone: 'UTC' }).story.map(plain).slice(1)
  })
  expect(stories).toEqual([
    ['The controller has no room for this card, so it denies it as unknown.'],
    [`${text('events.notes.left_out')}.`, 'No enabled rule includes both the cardholder and the door.'],
  ])
})

test('a user who arrives before the hours is early, not late', () => {
  const why = whySentences({
    event: decided({ policy: dayShift, attempt: { at: Date.parse('2026-11-18T05:48:00.000Z') } }),
    viewerZone: 'UTC',
  })
  expect(why.headline).toBe('Outside schedule, 12 minutes early')
  expect(plain(why.story[1] ?? [])).toBe('Warehouse staff grants access from 06:00.')
})

test('further rules that name user and door are listed with their own misses', () => {
  const policy = {
    ...dayShift,
    rules: [...dayShift.rules, rule({ _id: 'survey', name: 'Roof survey', adhoc })],
  }
  const why = whySentences({ event: decided({ policy }), viewerZone: 'UTC' })
  expect(why.checks.map(spoken)).toContain('Rule Warehouse staff includes this door; Roof survey too: Temporary, ended')
})

test('a controller that decided differently from the policy is out of sync', () => {
  const event = decided({ policy: { rules: [] } })
  const why = whySentences({
    event: {
      ...event,
      outcome: 'granted',
      type: 'access.granted',
      reason: 'unit_out_of_step',
      data: { ...event.data, outOfStep: true, unitReason: null },
    },
    viewerZone: 'UTC',
  })
  expect(why.headline).toBe('The controller granted access that the policy denies')
  expect(plain(why.story[1] ?? [])).toBe('The controller was out of sync: the current policy says “No access rule”.')
  expect(why.checks.map(spoken)).toContain('Controller out of sync: it granted; it used policy version 48,213')
})

test('the reason of the controller is shown beside the resolved reason of the server', () => {
  const event = decided({ policy: { credentials: [credential({ status: 'lost' })] } })
  const why = whySentences({
    event: { ...event, data: { ...event.data, unitReason: 'credential_unknown' } },
    viewerZone: 'UTC',
  })
  expect(why.checks.map(spoken)).toContain(
    'Controller in sync: it used policy version 48,213; the controller reported: Unknown credential',
  )
})

test('a number that the reader may not see is shown as hidden', () => {
  const event = decided({ attempt: { credentialNumber: '031-40877' } })
  const why = whySentences({ event: { ...event, data: { ...event.data, number: null } }, viewerZone: 'UTC' })
  expect(why.story.map(plain)).toEqual([
    expect.stringContaining('presented credential (number hidden) at Loading Bay 2'),
    'No credential of this account has this number.',
  ])
  expect(why.checks.map(spoken)).toContain('Unknown number')
})

test('a backfilled event shows when it was received, and a wrong clock which time it showed', () => {
  const event = decided({})
  const why = whySentences({
    event: {
      ...event,
      backfilled: true,
      receivedAt: '2026-11-18T19:42:07.000Z',
      data: { ...event.data, clockWrong: true, deviceTime: '2019-01-01T00:00:00.000Z' },
    },
    viewerZone: 'UTC',
  })
  expect(why.checks.slice(-2).map(spoken)).toEqual([
    'Backfilled: received 19:42, 1 hour later; the controller stored it while offline',
    'Time of receipt shown; the controller clock showed Tue 1 Jan 2019, 00:00:00, which cannot be correct',
  ])
})

test('an unknown finding is left out, and so is a fact that cannot be read', () => {
  const event = sampleEvent({
    reasons: [
      { step: 'weather', outcome: 'passed', facts: {} },
      { step: 'mode', outcome: 'passed', facts: { mode: 42 } },
    ],
  })
  expect(decisionChecks(explanationOf({ event, viewerZone: 'UTC' })).map(spoken)).toEqual(['Door mode allows entry'])
})

test('names that look like markup or run from right to left are unchanged', () => {
  const odd = "D'Angelo <b>Smith</b> محمد"
  const event = decided({ policy: { users: [user({ name: odd })], rules: [] } })
  expect(whySentences({ event, viewerZone: 'UTC' }).headline).toBe(`No rule grants ${odd} access to this door`)
})

function spoken({ line, more }: Check): string {
  return [line, ...more].map(plain).join('; ')
}

/** An event from a real decision. */
function decided({ policy = {}, attempt = {} }: Pick<Case, 'policy' | 'attempt'>): Event {
  const full = samplePolicy(policy)
  const decision = decideAccess(
    gatherFacts(policyIndex(full), {
      door: 'door',
      credentialNumber: '0412-88213',
      direction: 'entry',
      at: Date.parse(at),
      ...attempt,
    }),
  )
  return sampleEvent({
    occurredAt: new Date(attempt.at ?? Date.parse(at)).toISOString(),
    outcome: decision.verdict === 'grant' ? 'granted' : 'denied',
    reason: decision.reason,
    reasons: decision.findings.map(({ facts, ...finding }) => ({ ...finding, facts: { ...facts } })),
    names: {
      timeZone: full.sites[0]?.timeZone ?? 'UTC',
      door: 'Loading Bay 2',
      user: decision.findings[3]?.facts.holder?.name ?? null,
    },
  })
}

test('a user who passes during a lockdown is shown with the groups that may', () => {
  const facts = {
    mode: 'lockdown',
    lockdowns: [{ _id: 'lockdown', name: 'Everything' }],
    mayPass: [{ _id: 'team', name: 'Security' }],
  }
  const event = sampleEvent({ reasons: [{ step: 'mode', outcome: 'passed', facts }] })
  const checks = decisionChecks(explanationOf({ event, viewerZone: 'UTC' })).map(spoken)
  expect(checks).toEqual(['The door is locked down, but members of Security may pass'])
})

test('a user whom an earlier configuration let pass during a lockdown is shown without groups', () => {
  const event = sampleEvent({
    reasons: [{ step: 'mode', outcome: 'passed', facts: { mode: 'lockdown', mayPass: [] } }],
  })
  const checks = decisionChecks(explanationOf({ event, viewerZone: 'UTC' })).map(spoken)
  expect(checks).toEqual(['The door is locked down, but this user may pass'])
})
