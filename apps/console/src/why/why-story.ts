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
  type Telling,
} from './why-telling.ts'

/** What happened and why, in two or three sentences. */
export function story(telling: Telling): Phrase[] {
  const { category, type } = telling.event
  const isPresented = category === 'access' && !isRemoteEvent(type)
  const sentences = isPresented ? [presented(telling), meaning(telling)] : occurrence(telling)
  return sentences.map(capital)
}

function presented(telling: Telling): Phrase {
  const { event } = telling
  const said = {
    person: personName(telling) === undefined ? text('events.somebody') : personPart(telling),
    kind: kindWord(telling),
    number: presentedNumber(telling) ?? text('why.hiddenNumber'),
    door: doorPart(telling),
    time: timePart(telling),
  }
  if (event.direction === null) return phrase('why.story.presentedNoDirection', said)
  const direction = text(event.direction === 'entry' ? 'why.inNames' : 'why.out')
  return phrase('why.story.presented', { ...said, direction })
}

function occurrence(telling: Telling): Phrase[] {
  const { event } = telling
  const { unit, user } = event.data.names
  const says = text(`events.says.${event.type}`)
  const what: Part = unit && event.category === 'unit' ? strong(unit) : says
  return [
    placed(telling, what),
    ...(what === says ? [] : [[`${says}.`]]),
    ...(user ? [phrase('why.story.by', { person: strong(user) })] : []),
    ...(noteText(event.data) ? [[noteText(event.data)]] : []),
  ]
}

function placed(telling: Telling, what: Part): Phrase {
  const { site } = telling.event.data.names
  const time = timePart(telling)
  if (doorName(telling)) return phrase('why.story.at', { what, door: doorPart(telling), time })
  return site
    ? phrase('why.story.atSite', { what, site: strong(site), time })
    : phrase('why.story.atTime', { what, time })
}

/** What the reason means, in a sentence. */
export function meaning(telling: Telling): Phrase {
  const { event } = telling
  const facts = refusal(telling)?.facts ?? {}
  const rule = rulePart(facts)
  const kind = kindWord(telling)
  switch (event.reason) {
    case null:
      return withoutReason(telling)
    case 'unit_out_of_step':
      return phrase('why.story.unit_out_of_step', { policy: policySays(telling) })
    case 'credential_unknown': {
      const number = presentedNumber(telling)
      return number === null ? [text('why.story.unknownHidden')] : phrase('why.story.credential_unknown', { number })
    }
    case 'credential_revoked':
      return phrase('why.story.credential_revoked', { kind })
    case 'not_yet_valid':
      return phrase('why.story.not_yet_valid', {
        what: whatIsValid(telling),
        from: momentOf(telling, facts.validFrom),
      })
    case 'expired':
      return phrase('why.story.expired', {
        what: whatIsValid(telling),
        until: momentOf(telling, facts.validUntil),
      })
    case 'recertification_overdue':
      return facts.recertifyBy
        ? phrase('why.story.recertification_overdue', { by: day(facts.recertifyBy, telling.timeZone) })
        : [text('why.story.recertificationNever')]
    case 'denied_by_rule':
      return phrase('why.story.denied_by_rule', { rule })
    case 'no_access':
      return facts.rule ? phrase('why.story.wrongDirection', { rule }) : [text('why.story.no_access')]
    case 'outside_schedule':
      return outsideSchedule(telling, facts)
    case 'holiday_closed':
      return phrase('why.story.holiday_closed', {
        rule,
        schedule: schedulePart(facts),
        holiday: strong(facts.holiday?.name ?? ''),
      })
    case 'adhoc_not_started':
      return phrase('why.story.adhoc_not_started', {
        rule,
        time: facts.adhoc ? nearEvent(telling, facts.adhoc.from) : '–',
      })
    case 'adhoc_ended':
      return phrase('why.story.adhoc_ended', { rule, time: facts.adhoc ? nearEvent(telling, facts.adhoc.until) : '–' })
    case 'door_unknown':
    case 'door_disabled':
    case 'unit_out_of_service':
    case 'door_locked_down':
    case 'door_blocked':
    case 'credential_unassigned':
    case 'credential_suspended':
    case 'credential_lost':
    case 'credential_stolen':
    case 'holder_inactive':
    case 'interlock':
    case 'antipassback':
    case 'first_person_absent':
    case 'pin_required':
    case 'pin_invalid':
    case 'pin_locked':
    case 'remote_approval_required':
    case 'remote_denied':
    case 'remote_timeout':
    case 'remote_unavailable':
      return [text(`why.story.${event.reason}`)]
  }
}

function momentOf({ timeZone }: Telling, iso: string | undefined) {
  return iso === undefined ? '–' : lastMoment(iso, timeZone)
}

function withoutReason(telling: Telling): Phrase {
  if (telling.event.outcome !== 'granted') return [text('why.story.denied')]
  const allow = factsOf(telling, 'allow_rule')
  if (!allow?.rule) return [text('why.story.grantedNoRule')]
  const rule = rulePart(allow)
  const ends = [allow.openUntil, allow.adhoc?.until].filter((end) => end !== undefined).sort()
  const [until] = ends
  if (until !== undefined) return phrase('why.story.grantedUntil', { rule, until: nearEvent(telling, until) })
  return allow.schedule ? phrase('why.story.granted', { rule }) : phrase('why.story.grantedAlways', { rule })
}

function outsideSchedule(telling: Telling, facts: Facts): Phrase {
  const { closedSince, opensAt } = facts
  const rule = rulePart(facts)
  if (facts.scheduleMissing) return phrase('why.story.scheduleMissing', { rule })
  const at = Date.parse(telling.event.occurredAt)
  const isLate = closedSince && (!opensAt || at - Date.parse(closedSince) <= Date.parse(opensAt) - at)
  if (isLate) return phrase('why.story.outsideSince', { rule, time: nearEvent(telling, closedSince) })
  if (opensAt) return phrase('why.story.outsideFrom', { rule, time: nearEvent(telling, opensAt) })
  return phrase('why.story.outside_schedule', { rule, schedule: schedulePart(facts) })
}

/** What the policy in force says where a unit decided otherwise. */
function policySays(telling: Telling) {
  const reason = refusal(telling)?.reason
  return reason ? text(`reason.${reason}`) : text('why.story.policyGrants')
}

/** Validity belongs to the credential or to its holder. */
function whatIsValid(telling: Telling): Part {
  return refusal(telling)?.step === 'holder'
    ? personPart(telling)
    : text('why.story.theCredential', { kind: kindWord(telling) })
}

function timePart({ event, timeZone }: Telling): string {
  return text('why.story.when', { day: weekday(event.occurredAt, timeZone), time: clock(event.occurredAt, timeZone) })
}
