import type { EventType } from '@portcullis/contract/event-types'
import type { State } from '../ui/state-tag.tsx'
import { text } from '../text/text.ts'
import { denialText, noteText } from '../why/note-text.ts'
import { parseFindings } from '../why/finding-facts.ts'
import { isRemoteEvent } from '../why/is-remote-event.ts'
import { clock, near, weekday } from '../time/site-time.ts'
import { viewerZone } from '../time/time-text.ts'
import type { Event } from '../why/explanation.ts'

/** The outcome of an event, as a word; its colour and icon are those of the state. */
export function outcomeOf({ type }: Event): { state: State; word: string } {
  return { state: states[type], word: text(`events.types.${type}`) }
}

/** Who, in a row of the list: a name, and a line below. */
export function whoOf({ category, data }: Event): { name: string; second: string; mark: 'person' | 'card' | 'none' } {
  const { user, title, unit } = data.names
  if (user) return { name: user, second: title ?? data.number ?? '', mark: 'person' }
  if (category === 'access') return { name: text('events.unknownCard'), second: numberIn(data), mark: 'card' }
  if (category === 'unit' && unit) return { name: unit, second: text('events.unit'), mark: 'none' }
  return { name: text('events.noUser'), second: unit ?? '', mark: 'none' }
}

/** The presented number, if any; where the reader may not see it, only that there is one. */
export function numberIn({ number = '' }: Event['data']): string {
  return number ?? text('credentials.hiddenNumber')
}

/** Where, in a row of the list: the door with the direction, and the site. */
export function whereOf({ direction, data }: Event): { place: string; second: string } {
  const { door, site } = data.names
  if (!door) return { place: site ?? '–', second: '' }
  if (direction === null) return { place: door, second: site ?? '' }
  const place = text(direction === 'entry' ? 'events.directionIn' : 'events.directionOut', { door })
  return { place, second: site ?? '' }
}

/** When, in a row of the list: the viewer's time, and the day unless it is the one of `now`. */
export function whenOf({ occurredAt }: Event, now: Date): { time: string; day: string } {
  const day = weekday(occurredAt, viewerZone)
  return { time: clock(occurredAt, viewerZone), day: day === weekday(now.toISOString(), viewerZone) ? '' : day }
}

/** Why, in a row of the list: the reason, or the rule that granted. */
export function reasonOf(event: Event, viewerZone: string): { line: string; second: string } {
  const { category, reason, data, type } = event
  const note = noteText(data)
  if (category !== 'access' || isRemoteEvent(type)) return { line: text(`events.says.${type}`), second: note }
  if (reason !== null) return { line: denialText({ reason, data }), second: data.note?.code === 'left_out' ? '' : note }
  const rule = grantingRule(event, viewerZone)
  return note ? { line: note, second: rule } : { line: rule, second: '' }
}

/** The rule that granted, or when its temporary access ends. */
function grantingRule({ reasons, data, occurredAt }: Event, viewerZone: string) {
  const facts = parseFindings(reasons).find(({ step }) => step === 'allow_rule')?.facts
  if (!facts?.adhoc) return facts?.rule?.name ?? '–'
  const timeZone = data.names.timeZone ?? viewerZone
  return text('events.adhocEnds', { time: near(facts.adhoc.until, { at: occurredAt, timeZone }) })
}

const states: Record<EventType, State> = {
  'access.granted': 'granted',
  'access.denied': 'denied',
  'access.guest_refused': 'denied',
  'access.remote_requested': 'waiting',
  'access.remote_granted': 'granted',
  'access.remote_denied': 'denied',
  'access.remote_expired': 'expired',
  'door.opened': 'open',
  'door.closed': 'closed',
  'door.forced': 'forced',
  'door.held': 'held',
  'door.restored': 'closed',
  'door.exit_requested': 'open',
  'door.unlocked_once': 'confirmed',
  'door.mode_changed': 'confirmed',
  'unit.enrolled': 'confirmed',
  'unit.online': 'online',
  'unit.offline': 'offline',
  'unit.power_on': 'confirmed',
  'unit.clock_wrong': 'clock_wrong',
  'unit.clock_right': 'confirmed',
  'unit.out_of_sync': 'out_of_step',
  'unit.in_sync': 'in_step',
  'unit.capacity_exceeded': 'too_much',
  'unit.capacity_restored': 'confirmed',
  'unit.tamper': 'tampered',
  'unit.tamper_ended': 'confirmed',
  'unit.on_battery': 'on_battery',
  'unit.on_mains': 'confirmed',
  'unit.sync_started': 'sent',
  'unit.sync_ok': 'in_step',
  'unit.sync_failed': 'rejected',
  'unit.log_gap': 'out_of_step',
  'unit.unreadable_record': 'out_of_step',
  'unit.refused': 'refused',
  'administration.signed_in': 'confirmed',
  'administration.sign_in_failed': 'refused',
  'administration.second_factor_on': 'confirmed',
  'administration.second_factor_off': 'confirmed',
  'administration.second_factor_reset': 'confirmed',
  'administration.recovery_codes_renewed': 'confirmed',
  'administration.recovery_code_used': 'confirmed',
  'administration.password_changed': 'confirmed',
  'administration.password_reset': 'confirmed',
  'administration.email_changed': 'confirmed',
  'administration.exported': 'confirmed',
  'administration.recertified': 'confirmed',
  'administration.refused': 'refused',
  'administration.lockdown_started': 'lockdown',
  'administration.lockdown_ended': 'confirmed',
}
