import { type Phrase, phrase, plain } from '../text/phrase.ts'
import { text } from '../text/text.ts'
import type { Facts } from './finding-facts.ts'
import { isRemoteEvent } from './is-remote-event.ts'
import { duration, lastMoment } from '../time/site-time.ts'
import { capital, doorPart, factsOf, kindWord, personPart, refusal, rulePart, type Explanation } from './explanation.ts'

/** The answer in one line: `Outside schedule, by 42 minutes`. */
export function headline(explanation: Explanation): string {
  if (explanation.event.data.note?.code === 'duress') return text('events.notes.duress')
  if (refusal(explanation)?.facts.leftOut) return text('why.headline.leftOut')
  return plain(capital(headlinePhrase(explanation)))
}

function headlinePhrase(explanation: Explanation): Phrase {
  const { event } = explanation
  if (event.category !== 'access' || isRemoteEvent(event.type)) return [text(`events.types.${event.type}`)]
  if (event.reason === 'unit_out_of_step') {
    return [text(event.outcome === 'granted' ? 'why.headline.outOfStepGranted' : 'why.headline.outOfStepDenied')]
  }
  const facts = refusal(explanation)?.facts ?? {}
  const kind = kindWord(explanation)
  const door = doorPart(explanation)
  const person = personPart(explanation)
  switch (event.reason) {
    case null:
      return withoutReason(explanation)
    case 'credential_unassigned':
    case 'credential_suspended':
    case 'credential_lost':
    case 'credential_stolen':
    case 'credential_revoked':
      return phrase(`why.headline.${event.reason}`, { kind })
    case 'door_disabled':
    case 'unit_out_of_service':
    case 'door_locked_down':
    case 'door_blocked':
      return phrase(`why.headline.${event.reason}`, { door })
    case 'holder_inactive':
    case 'recertification_overdue':
      return phrase(`why.headline.${event.reason}`, { person })
    case 'not_yet_valid':
      return phrase('why.headline.not_yet_valid', { from: dayOf(explanation, facts.validFrom) })
    case 'expired':
      return phrase('why.headline.expired', { until: dayOf(explanation, facts.validUntil) })
    case 'denied_by_rule':
      return phrase('why.headline.denied_by_rule', { rule: rulePart(facts) })
    case 'no_access':
      return noAccess(facts, person)
    case 'outside_schedule':
      return outsideSchedule(explanation, facts)
    case 'holiday_closed':
      return phrase('why.headline.holiday_closed', { holiday: facts.holiday?.name ?? text('reason.holiday_closed') })
    case 'adhoc_not_started':
      return phrase('why.headline.adhoc_not_started', { time: distanceFrom(explanation, facts.adhoc?.from) })
    case 'adhoc_ended':
      return phrase('why.headline.adhoc_ended', { time: distanceFrom(explanation, facts.adhoc?.until) })
    case 'door_unknown':
    case 'credential_unknown':
    case 'card_required':
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
      return [text(`why.headline.${event.reason}`)]
  }
}

function noAccess(facts: Facts, person: Phrase[number]): Phrase {
  return facts.rule
    ? phrase('why.headline.wrongDirection', { rule: rulePart(facts) })
    : phrase('why.headline.no_access', { person })
}

function withoutReason(explanation: Explanation): Phrase {
  if (explanation.event.outcome !== 'granted') return [text('why.headline.denied')]
  const allow = factsOf(explanation, 'allow_rule')
  return allow?.rule ? phrase('why.headline.grantedBy', { rule: rulePart(allow) }) : [text('why.headline.granted')]
}

/** How far outside, from the nearer edge: how long ago it closed, or how soon it opens. */
function outsideSchedule(explanation: Explanation, { rule, scheduleMissing, closedSince, opensAt }: Facts): Phrase {
  if (scheduleMissing) return phrase('why.headline.scheduleMissing', { rule: rulePart({ rule }) })
  const at = Date.parse(explanation.event.occurredAt)
  const late = closedSince ? at - Date.parse(closedSince) : Number.POSITIVE_INFINITY
  const early = opensAt ? Date.parse(opensAt) - at : Number.POSITIVE_INFINITY
  const nearer = Math.min(late, early)
  if (!Number.isFinite(nearer)) return [text('why.headline.outside_schedule')]
  const key = late <= early ? 'why.headline.outsideBy' : 'why.headline.outsideEarly'
  return phrase(key, { time: duration(nearer) })
}

function distanceFrom({ event }: Explanation, iso: string | undefined) {
  return duration(iso === undefined ? 0 : Math.abs(Date.parse(event.occurredAt) - Date.parse(iso)))
}

function dayOf({ timeZone }: Explanation, iso: string | undefined) {
  return iso === undefined ? '–' : lastMoment(iso, timeZone)
}
