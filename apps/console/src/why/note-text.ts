import type { EventNote } from '@portcullis/contract/event-notes'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { rejectionText } from './rejection-text.ts'

type Denial = { reason: ReasonCode; data: { note?: EventNote | undefined } }

/** Why access was denied: the reason of the controller, unless lack of room explains it. */
export function denialText({ reason, data: { note } }: Denial): string {
  return note?.code === 'left_out' ? text('why.headline.leftOut') : text(`reason.${reason}`)
}

/** The report of an event in words; a controller's own text stays as it is. */
export function noteText({ note, detail = '' }: { note?: EventNote | undefined; detail?: string | undefined }): string {
  return note ? worded(note) : detail
}

function worded(note: EventNote): string {
  switch (note.code) {
    case 'decided_by':
    case 'recertified_by':
      return text(`events.notes.${note.code}`, { name: note.name })
    case 'door_mode':
      return text(`events.notes.door_mode.${note.mode}`)
    case 'config_applied':
      return text('events.notes.config_applied', { version: note.version })
    case 'config_rejected':
      return text('events.notes.config_rejected', { version: note.version, reason: rejectionText(note.reason) })
    case 'duress':
    case 'left_out':
    case 'antipassback_tolerated':
    case 'not_compiled':
      return text(`events.notes.${note.code}`)
    case 'implausible_version':
      return text('events.notes.implausible_version', { version: note.version })
    case 'clock_ahead':
    case 'clock_behind':
      return text(`events.notes.${note.code}`, { count: note.seconds })
    case 'capacity_exceeded':
      return listOf(
        [note, ...(note.others ?? [])].map(({ kind, used, most }) =>
          text('events.notes.capacity_exceeded', { kind: text(`units.capacityOf.${kind}`), used, most }),
        ),
      )
    case 'guest_refused':
      return note.reason === 'needs_reader' ? text('events.notes.needs_reader') : text(`reason.${note.reason}`)
    case 'lockdown':
      return text(`events.notes.lockdown.${note.by}`, { plan: note.plan, count: note.doors })
    case 'records_missing':
      return text('events.notes.records_missing', { from: note.from, to: note.to })
    case 'requests_refused':
      return text('events.notes.requests_refused', { count: note.count, routes: listOf(note.routes) })
    case 'connections_refused':
      return text('events.notes.connections_refused', { count: note.count })
    case 'connection_refused':
      return refused(note)
    default:
      return note satisfies never
  }
}

function refused({ address, serial, refusal: code, repeated }: Extract<EventNote, { code: 'connection_refused' }>) {
  const refusal = text(`events.refusals.${code}`)
  const note =
    serial === null
      ? text('events.notes.connection_refused_no_serial', { address, refusal })
      : text('events.notes.connection_refused', { address, serial, refusal })
  return repeated === 0 ? note : text('events.notes.repeated', { note, count: repeated })
}
