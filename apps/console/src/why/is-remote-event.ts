import { type EventType, remoteEventTypes } from '@portcullis/contract/event-types'

const remote: ReadonlySet<EventType> = new Set([...remoteEventTypes, 'access.guest_refused'])

/** A request for access, its decision, or the refused press of a guest: nothing happened at the door, and no credential was presented. */
export function isRemoteEvent(type: EventType): boolean {
  return remote.has(type)
}
