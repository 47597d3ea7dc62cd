import { type Phrase, phrase } from '../text/phrase.ts'
import { text } from '../text/text.ts'
import { listOf } from '../text/catalogue.ts'
import type { Facts, ParsedFinding } from './finding-facts.ts'
import { day, lastMoment } from '../time/site-time.ts'
import { allowRuleChecks, denyRuleChecks } from './why-rule-checks.ts'
import {
  type Check,
  capital,
  check,
  doorPart,
  factsOf,
  kindWord,
  personPart,
  presentedNumber,
  type Explanation,
} from './explanation.ts'

/** The findings of a decision as sentences, in the order in which they were made; a rule that was found comes with its hours. */
export function decisionChecks(explanation: Explanation): Check[] {
  return explanation.findings.flatMap((finding) => checksOf(explanation, finding))
}

function checksOf(explanation: Explanation, finding: ParsedFinding): Check[] {
  switch (finding.step) {
    case 'door':
      return [doorCheck(explanation, finding)]
    case 'mode':
      return [modeCheck(explanation, finding)]
    case 'credential':
      return [credentialCheck(explanation, finding)]
    case 'holder':
      return [holderCheck(explanation, finding)]
    case 'deny_rule':
      return denyRuleChecks(explanation, finding)
    case 'allow_rule':
      return allowRuleChecks(explanation, finding)
    case 'state':
      return [stateCheck(finding)]
    case 'pin':
      return [pinCheck(finding)]
    case 'second_person':
      return [secondPersonCheck(finding)]
    case 'approval':
      return [approvalCheck(finding)]
  }
}

function doorCheck(explanation: Explanation, { outcome, reason, facts }: ParsedFinding): Check {
  const unit = facts.unit?.name
  const on = unit === undefined ? [] : [text('why.check.onUnit', { unit })]
  if (outcome === 'passed') return check('passed', text('why.check.doorPassed'), on)
  if (outcome === 'not_asked') return check('not_asked', text('why.check.doorNotChecked'))
  switch (reason) {
    case 'door_disabled':
      return check(
        'refused',
        capital(phrase('why.check.doorRefused.door_disabled', { door: doorPart(explanation) })),
        on,
      )
    case 'unit_out_of_service':
      return check('refused', text('why.check.doorRefused.unit_out_of_service'), on)
    default:
      return check('refused', text(`why.check.doorRefused.${facts.leftOut ? 'leftOut' : 'door_unknown'}`), on)
  }
}

function modeCheck(explanation: Explanation, { outcome, reason, facts }: ParsedFinding): Check {
  if (outcome === 'passed') return check('passed', modePassed(explanation, facts))
  if (outcome === 'not_asked') return check('not_asked', text('why.check.modeNotChecked'))
  if (facts.lockdowns) {
    const lockdowns = listOf(facts.lockdowns.map(({ name = '' }) => name))
    return check('refused', text('lockdowns.refuses', { lockdowns }))
  }
  const kind = reason === 'door_locked_down' ? reason : 'door_blocked'
  return check('refused', text(`why.check.modeRefused.${kind}`))
}

function modePassed(explanation: Explanation, facts: Facts) {
  const isInterlocked = factsOf(explanation, 'state')?.conditions?.interlock !== undefined
  if (facts.mode === 'unlocked' && isInterlocked) return text('doorModes.openWhile')
  if (facts.mayPass) return letsPass(facts.mayPass)
  if (facts.schedule) return unlockedBySchedule(explanation, facts)
  return text(`why.check.modePassed.${facts.mode ?? 'unknown'}`)
}

/** An earlier configuration does not name the groups. */
function letsPass(groups: NonNullable<Facts['mayPass']>) {
  if (groups.length === 0) return text('lockdowns.letsUserPass')
  return text('lockdowns.letsPass', { groups: listOf(groups.map(({ name = '–' }) => name)) })
}

/** A schedule that the user may not see has no name. */
function unlockedBySchedule({ timeZone }: Explanation, { schedule, openUntil }: Facts) {
  const name = schedule?.name
  if (name === undefined) return text('doorModes.byHiddenSchedule')
  if (openUntil === undefined) return text('doorModes.bySchedule', { schedule: name })
  return text('doorModes.byScheduleUntil', { schedule: name, until: lastMoment(openUntil, timeZone) })
}

function credentialCheck(explanation: Explanation, { outcome, reason, facts }: ParsedFinding): Check {
  const kind = kindWord(explanation)
  const until = facts.validUntil && lastMoment(facts.validUntil, explanation.timeZone)
  if (outcome === 'not_asked') return check('not_asked', text('why.check.credentialNotChecked'))
  if (outcome === 'passed') {
    const line = until
      ? phrase('why.check.credentialPassedUntil', { kind, until })
      : phrase('why.check.credentialPassed', { kind })
    return check('passed', capital(line))
  }
  if (facts.leftOut) return check('refused', phrase('why.check.credentialRefused.leftOut', { kind }))
  switch (reason) {
    case 'card_required':
    case 'pin_invalid':
    case 'pin_locked':
      return check('refused', text(`why.check.credentialRefused.${reason}`))
    case 'credential_unassigned':
    case 'credential_suspended':
    case 'credential_lost':
    case 'credential_stolen':
    case 'credential_revoked':
      return check('refused', capital(phrase(`why.check.credentialRefused.${reason}`, { kind })))
    case 'not_yet_valid': {
      const from = facts.validFrom ? lastMoment(facts.validFrom, explanation.timeZone) : '–'
      return check('refused', capital(phrase('why.check.credentialRefused.not_yet_valid', { kind, from })))
    }
    case 'expired':
      return check('refused', capital(phrase('why.check.credentialRefused.expired', { kind, until: until ?? '–' })))
    default: {
      const number = presentedNumber(explanation)
      if (number === null) return check('refused', text('why.check.numberUnknownHidden'))
      return check('refused', text('why.check.credentialRefused.credential_unknown', { number }))
    }
  }
}

function holderCheck(explanation: Explanation, { outcome, reason, facts }: ParsedFinding): Check {
  const person = personPart(explanation)
  const { timeZone } = explanation
  const until = facts.validUntil && lastMoment(facts.validUntil, timeZone)
  if (outcome === 'not_asked') return check('not_asked', text('why.check.holderNotChecked'))
  const recertified = recertification(facts.recertifyBy, timeZone)
  if (outcome === 'passed') {
    const line: Phrase = until
      ? phrase('why.check.holderPassedUntil', { person, until })
      : phrase('why.check.holderPassed', { person })
    return check('passed', capital(line), recertified)
  }
  switch (reason) {
    case 'not_yet_valid': {
      const from = facts.validFrom ? lastMoment(facts.validFrom, timeZone) : '–'
      return check('refused', capital(phrase('why.check.holderRefused.not_yet_valid', { person, from })))
    }
    case 'expired':
      return check('refused', capital(phrase('why.check.holderRefused.expired', { person, until: until ?? '–' })))
    case 'recertification_overdue':
      return check(
        'refused',
        capital(phrase('why.check.holderRefused.recertification_overdue', { person })),
        recertified,
      )
    default:
      return check('refused', capital(phrase('why.check.holderRefused.holder_inactive', { person })))
  }
}

/** Absent: not enforced; null: enforced, and not yet done. */
function recertification(by: string | null | undefined, timeZone: string): string[] {
  if (by === undefined) return []
  return [by === null ? text('why.check.recertifyNever') : text('why.check.recertifyBy', { by: day(by, timeZone) })]
}

function stateCheck({ outcome, reason, facts }: ParsedFinding): Check {
  const conditions = stateConditions(facts.conditions)
  if (outcome === 'passed') {
    const isTolerated = facts.state?.antipassback === 'tolerated'
    return check('passed', text(isTolerated ? 'why.check.stateTolerated' : 'why.check.statePassed'), conditions)
  }
  if (outcome === 'not_asked') {
    const line = conditions.length > 0 ? 'why.check.stateAtDoor' : 'why.check.stateNotChecked'
    return check('not_asked', text(line), conditions)
  }
  switch (reason) {
    case 'interlock_unavailable':
    case 'antipassback':
    case 'first_person_absent':
      return check('refused', text(`why.check.stateRefused.${reason}`), conditions)
    default:
      return check('refused', text('why.check.stateRefused.interlock'), conditions)
  }
}

/** What the controller checks at this door, in words. */
function stateConditions({ interlock = [], areas = [], firstPersonGroup }: NonNullable<Facts['conditions']> = {}) {
  const doors = listOf(interlock.map(({ name }) => name ?? '–'))
  return [
    ...(interlock.length > 0 ? [text('why.check.stateConditions.interlock', { doors })] : []),
    ...areas.map(({ kind, minutes, name }) => {
      const area = name ?? '–'
      return kind === 'timed'
        ? text('why.check.stateConditions.timed', { area, count: minutes })
        : text(`why.check.stateConditions.${kind}`, { area })
    }),
    ...(firstPersonGroup
      ? [text('why.check.stateConditions.firstPerson', { group: firstPersonGroup.name ?? '–' })]
      : []),
  ]
}

function pinCheck({ outcome, reason, facts }: ParsedFinding): Check {
  if (outcome === 'passed') return check('passed', text(facts.required ? 'why.check.pinValid' : 'why.check.pinPassed'))
  if (outcome === 'not_asked') return check('not_asked', text('why.check.pinNotChecked'))
  const kind = reason === 'pin_invalid' || reason === 'pin_locked' ? reason : 'pin_required'
  return check('refused', text(`why.check.pinRefused.${kind}`))
}

function secondPersonCheck({ outcome, reason, facts }: ParsedFinding): Check {
  if (outcome === 'passed') {
    return check('passed', text(facts.required ? 'why.check.secondPersonPresent' : 'why.check.secondPersonPassed'))
  }
  if (outcome === 'not_asked') return check('not_asked', text('why.check.secondPersonNotChecked'))
  const kind = reason === 'second_person_absent' ? reason : 'second_person_required'
  return check('refused', text(`why.check.secondPersonRefused.${kind}`))
}

function approvalCheck({ outcome, reason, facts }: ParsedFinding): Check {
  if (outcome === 'passed') {
    return check('passed', text(facts.required ? 'why.check.approvalGranted' : 'why.check.approvalPassed'))
  }
  if (outcome === 'not_asked') return check('not_asked', text('why.check.approvalNotChecked'))
  switch (reason) {
    case 'remote_denied':
    case 'remote_timeout':
    case 'remote_unavailable':
      return check('refused', text(`why.check.approvalRefused.${reason}`))
    default:
      return check('refused', text('why.check.approvalRefused.remote_approval_required'))
  }
}
