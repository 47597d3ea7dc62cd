import { type Part, type Phrase, phrase, strong } from '../text/phrase.ts'
import { text } from '../text/text.ts'
import type { Facts } from './finding-facts.ts'
import { isRemoteEvent } from './is-remote-event.ts'
import { noteText } from './note-text.ts'
import { clock, day, lastMoment, weekday } from '../time/site-time.ts'
import {
  capital,
  doorName,
  doorPart,
  factsOf,
  kindWord,
  nearEvent,
  personName,
  personPart,
  presentedNumber,
  refusal,
  rulePart,
  schedulePart,
  type Explanation,
} from './explanation.ts'

/** What happened and why, in two or three sentences. */
export function story(explanation: Explanation): Phrase[] {
  const { category, type } = explanation.event
  const isPresented = category === 'access' && !isRemoteEvent(type)
  const sentences = isPresented
    ? [presented(explanation), ...noted(explanation), meaning(explanation)]
    : occurrence(explanation)
  return sentences.map(capital)
}

function presented(explanation: Explanation): Phrase {
  const { event } = explanation
  const parameters = {
    person: personName(explanation) === undefined ? text('events.unknownUser') : personPart(explanation),
    kind: kindWord(explanation),
    number: presentedNumber(explanation) ?? text('why.hiddenNumber'),
    door: doorPart(explanation),
    time: timePart(explanation),
  }
  if (event.direction === null) return phrase('why.story.presentedNoDirection', parameters)
  const direction = text(event.direction === 'entry' ? 'why.inNames' : 'why.out')
  return phrase('why.story.presented', { ...parameters, direction })
}

function occurrence(explanation: Explanation): Phrase[] {
  const { event } = explanation
  const { unit, user } = event.data.names
  const label = text(`events.says.${event.type}`)
  const what: Part = unit && event.category === 'unit' ? strong(unit) : label
  return [
    placed(explanation, what),
    ...(what === label ? [] : [[`${label}.`]]),
    ...(user ? [phrase('why.story.by', { person: strong(user) })] : []),
    ...noted(explanation),
  ]
}

/** The note of the event, such as a duress PIN, unless the refusal says the same. */
function noted(explanation: Explanation): Phrase[] {
  const { data } = explanation.event
  const note = noteText(data)
  if (note === '') return []
  if (data.note?.code === 'left_out' && refusal(explanation)?.facts.leftOut) return []
  return [[note.endsWith('.') ? note : `${note}.`]]
}

function placed(explanation: Explanation, what: Part): Phrase {
  const { site } = explanation.event.data.names
  const time = timePart(explanation)
  if (doorName(explanation)) return phrase('why.story.at', { what, door: doorPart(explanation), time })
  return site
    ? phrase('why.story.atSite', { what, site: strong(site), time })
    : phrase('why.story.atTime', { what, time })
}

/** The meaning of the reason, in a sentence. */
export function meaning(explanation: Explanation): Phrase {
  const { event } = explanation
  const facts = refusal(explanation)?.facts ?? {}
  const rule = rulePart(facts)
  const kind = kindWord(explanation)
  if (facts.leftOut) return leftOut(explanation, facts)
  switch (event.reason) {
    case null:
      return withoutReason(explanation)
    case 'unit_out_of_step':
      return phrase('why.story.unit_out_of_step', { policy: policyReason(explanation) })
    case 'credential_unknown': {
      const number = presentedNumber(explanation)
      return number === null ? [text('why.story.unknownHidden')] : phrase('why.story.credential_unknown', { number })
    }
    case 'credential_revoked':
      return phrase('why.story.credential_revoked', { kind })
    case 'not_yet_valid':
      return phrase('why.story.not_yet_valid', {
        what: whatIsValid(explanation),
        from: momentOf(explanation, facts.validFrom),
      })
    case 'expired':
      return phrase('why.story.expired', {
        what: whatIsValid(explanation),
        until: momentOf(explanation, facts.validUntil),
      })
    case 'recertification_overdue':
      return facts.recertifyBy
        ? phrase('why.story.recertification_overdue', { by: day(facts.recertifyBy, explanation.timeZone) })
        : [text('why.story.recertificationNever')]
    case 'denied_by_rule':
      return phrase('why.story.denied_by_rule', { rule })
    case 'no_access':
      return facts.rule ? phrase('why.story.wrongDirection', { rule }) : [text('why.story.no_access')]
    case 'outside_schedule':
      return outsideSchedule(explanation, facts)
    case 'holiday_closed':
      return phrase('why.story.holiday_closed', {
        rule,
        schedule: schedulePart(facts),
        holiday: strong(facts.holiday?.name ?? ''),
      })
    case 'adhoc_not_started':
      return phrase('why.story.adhoc_not_started', {
        rule,
        time: facts.adhoc ? nearEvent(explanation, facts.adhoc.from) : '–',
      })
    case 'adhoc_ended':
      return phrase('why.story.adhoc_ended', {
        rule,
        time: facts.adhoc ? nearEvent(explanation, facts.adhoc.until) : '–',
      })
    case 'door_unknown':
    case 'door_disabled':
    case 'unit_out_of_service':
    case 'door_locked_down':
    case 'door_blocked':
    case 'card_required':
    case 'credential_unassigned':
    case 'credential_suspended':
    case 'credential_lost':
    case 'credential_stolen':
    case 'holder_inactive':
    case 'interlock':
    case 'interlock_unavailable':
    case 'antipassback':
    case 'first_person_absent':
    case 'pin_required':
    case 'pin_invalid':
    case 'pin_locked':
    case 'second_person_required':
    case 'second_person_absent':
    case 'remote_approval_required':
    case 'remote_denied':
    case 'remote_timeout':
    case 'remote_unavailable':
      return [text(`why.story.${event.reason}`)]
  }
}

function momentOf({ timeZone }: Explanation, iso: string | undefined) {
  return iso === undefined ? '–' : lastMoment(iso, timeZone)
}

function withoutReason(explanation: Explanation): Phrase {
  if (explanation.event.outcome !== 'granted') return [text('why.story.denied')]
  const allow = factsOf(explanation, 'allow_rule')
  if (!allow?.rule) return [text('why.story.grantedNoRule')]
  const rule = rulePart(allow)
  const ends = [allow.openUntil, allow.adhoc?.until].filter((end) => end !== undefined).sort()
  const [until] = ends
  if (until !== undefined) return phrase('why.story.grantedUntil', { rule, until: nearEvent(explanation, until) })
  return allow.schedule ? phrase('why.story.granted', { rule }) : phrase('why.story.grantedAlways', { rule })
}

function leftOut(explanation: Explanation, facts: Facts): Phrase {
  switch (refusal(explanation)?.step) {
    case 'door':
      return [text('why.story.leftOut.door')]
    case 'credential':
      return phrase('why.story.leftOut.credential', { kind: kindWord(explanation) })
    case 'deny_rule':
      return phrase('why.story.leftOut.denySchedule', { rule: rulePart(facts) })
    default:
      return phrase('why.story.leftOut.schedule', { rule: rulePart(facts) })
  }
}

function outsideSchedule(explanation: Explanation, facts: Facts): Phrase {
  const { closedSince, opensAt } = facts
  const rule = rulePart(facts)
  if (facts.scheduleMissing) return phrase('why.story.scheduleMissing', { rule })
  const at = Date.parse(explanation.event.occurredAt)
  const isLate = closedSince && (!opensAt || at - Date.parse(closedSince) <= Date.parse(opensAt) - at)
  if (isLate) return phrase('why.story.outsideSince', { rule, time: nearEvent(explanation, closedSince) })
  if (opensAt) return phrase('why.story.outsideFrom', { rule, time: nearEvent(explanation, opensAt) })
  return phrase('why.story.outside_schedule', { rule, schedule: schedulePart(facts) })
}

/** The decision of the current policy, if the unit decided otherwise. */
function policyReason(explanation: Explanation) {
  const reason = refusal(explanation)?.reason
  return reason ? text(`reason.${reason}`) : text('why.story.policyGrants')
}

/** Validity belongs to the credential or to its user. */
function whatIsValid(explanation: Explanation): Part {
  return refusal(explanation)?.step === 'holder'
    ? personPart(explanation)
    : text('why.story.theCredential', { kind: kindWord(explanation) })
}

function timePart({ event, timeZone }: Explanation): string {
  return text('why.story.when', { day: weekday(event.occurredAt, timeZone), time: clock(event.occurredAt, timeZone) })
}
