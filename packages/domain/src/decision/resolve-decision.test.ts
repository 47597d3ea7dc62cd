import { describe, expect, test } from 'vitest'
import { policyIndex } from './gather-facts.ts'
import type { Policy } from '../policy.ts'
import { decisionSteps, type ReasonCode, type Verdict } from './reasons.ts'
import { resolveDecision } from './resolve-decision.ts'
import { credential, door, rule, samplePolicy, user } from '../sample-policy.ts'

const noon = Date.parse('2026-11-18T12:00:00Z')

function resolve(changes: Partial<Policy>, unitVerdict: Verdict, unitReason: ReasonCode | null) {
  const attempt = {
    door: 'door',
    credentialNumber: '0412-88213',
    direction: 'entry',
    at: noon,
    pin: undefined,
  } as const
  const { reason, outOfStep, findings } = resolveDecision(policyIndex(samplePolicy(changes)), {
    attempt,
    unitVerdict,
    unitReason,
  })
  expect(findings).toHaveLength(decisionSteps.length)
  return { reason, outOfStep }
}

const pinDoor = { doors: [door({ requiresPin: true })] }
const approvalDoor = { doors: [door({ requiresPin: true, requiresRemoteAuth: true })] }

describe('a decision of a unit', () => {
  test.each<[string, Partial<Policy>, Verdict, ReasonCode | null, ReasonCode | null]>([
    ['a grant stays a grant', {}, 'grant', null, null],
    [
      'a lost card, unknown to the unit, is lost',
      { credentials: [credential({ status: 'lost' })] },
      'deny',
      'credential_unknown',
      'credential_lost',
    ],
    [
      'a suspended user, unknown to the unit, is inactive',
      { users: [user({ status: 'suspended' })] },
      'deny',
      'credential_unknown',
      'holder_inactive',
    ],
    [
      'a user without any rule, unknown to the unit, has no access',
      { rules: [] },
      'deny',
      'credential_unknown',
      'no_access',
    ],
    ['a PIN that the unit checked is accepted', pinDoor, 'grant', null, null],
    ['a wrong PIN stays a wrong PIN', pinDoor, 'deny', 'pin_invalid', 'pin_invalid'],
    ['a PIN that was never entered is still required', pinDoor, 'deny', 'pin_required', 'pin_required'],
    ['a denial by an operator is accepted', approvalDoor, 'deny', 'remote_denied', 'remote_denied'],
    [
      'an approval that was never given is still required',
      approvalDoor,
      'deny',
      'remote_approval_required',
      'remote_approval_required',
    ],
    ['an interlock that only the unit sees is accepted', {}, 'deny', 'interlock', 'interlock'],
    ['a lockdown that the unit had applied is accepted', {}, 'deny', 'door_locked_down', 'door_locked_down'],
  ])('%s', (_, changes, verdict, reason, resolved) => {
    expect(resolve(changes, verdict, reason)).toEqual({ reason: resolved, outOfStep: false })
  })

  test.each<[string, Partial<Policy>, Verdict, ReasonCode | null]>([
    ['granted access that the policy denies', { rules: [] }, 'grant', null],
    ['denied access that the policy grants', {}, 'deny', 'credential_unknown'],
    ['denied access instead of requiring a PIN', pinDoor, 'deny', 'no_access'],
    ['required a PIN that the policy does not require', { rules: [rule()] }, 'deny', 'pin_required'],
  ])('is out of sync if it %s', (_, changes, verdict, reason) => {
    expect(resolve(changes, verdict, reason)).toEqual({ reason: 'unit_out_of_step', outOfStep: true })
  })
})
