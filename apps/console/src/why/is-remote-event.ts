import { type EventType, remoteEventTypes } from '@portcullis/contract/event-types'

const remote: ReadonlySet<EventType> = new Set(remoteEventTypes)

/** A request for access, or its decision: nothing happened at the door yet, and no credential was presented. */
export function isRemoteEvent(type: EventType): boolean {
  return remote.has(type)
}
