import { expect, test } from 'vitest'
import type { Finding } from './finding.ts'
import { isDeniedForRoom } from './left-out.ts'
import type { ReasonCode } from './reasons.ts'
import type { ResolvedDecision } from './resolve-decision.ts'

const grants: ResolvedDecision = { reason: 'unit_out_of_step', findings: [], outOfStep: true }

function denies(reason: ReasonCode, findings: readonly Finding[] = []): ResolvedDecision {
  return { reason, findings, outOfStep: false }
}

function refused(step: Finding['step'], reason: ReasonCode, leftOut = false): Finding {
  return { step, outcome: 'refused', reason, facts: leftOut ? { leftOut } : {} }
}

const unknownCard = refused('credential', 'credential_unknown', true)
const cardAnd = (...findings: Finding[]) => denies('credential_unknown', [unknownCard, ...findings])
const closedRule = denies('outside_schedule', [refused('allow_rule', 'outside_schedule', true)])

test.each<[string, ReasonCode, ResolvedDecision, ResolvedDecision, boolean]>([
  ['the whole policy grants', 'credential_unknown', grants, cardAnd(), true],
  [
    'the whole policy grants, and no finding names an item',
    'outside_schedule',
    grants,
    denies('outside_schedule'),
    true,
  ],
  ['the policy without the items grants', 'credential_unknown', grants, grants, false],
  ['the policy without the items grants, whatever the unit says', 'unit_out_of_step', grants, grants, false],
  ['the policy without the items denies for another reason', 'pin_invalid', grants, cardAnd(), false],
  ['both deny, and the card has no room', 'credential_unknown', denies('door_blocked'), cardAnd(), true],
  ['both deny, and the schedule has no room', 'outside_schedule', denies('outside_schedule'), closedRule, true],
  [
    'both deny, and everything has room',
    'outside_schedule',
    denies('outside_schedule'),
    denies('outside_schedule'),
    false,
  ],
  [
    'both deny, and another finding names an item without room',
    'outside_schedule',
    denies('outside_schedule'),
    denies('outside_schedule', [unknownCard, refused('allow_rule', 'outside_schedule')]),
    false,
  ],
  ...(['holder_inactive', 'expired', 'no_access'] as const).map(
    (reason): [string, ReasonCode, ResolvedDecision, ResolvedDecision, boolean] => [
      `with room, the card is denied: ${reason}`,
      'credential_unknown',
      denies(reason),
      cardAnd(refused('holder', reason)),
      false,
    ],
  ),
  [
    'the rule is closed as well',
    'credential_unknown',
    denies('outside_schedule'),
    cardAnd(refused('allow_rule', 'outside_schedule')),
    true,
  ],
  [
    'only the schedule has no room',
    'outside_schedule',
    denies('no_access'),
    denies('outside_schedule', [...closedRule.findings, refused('holder', 'expired')]),
    true,
  ],
])('a denial is for lack of room: %s', (_name, reason, withRoom, onFullUnit, expected) => {
  expect(isDeniedForRoom({ reason, withRoom, onFullUnit })).toBe(expected)
})
