import { type EventType, remoteEventTypes } from '@portcullis/contract/event-types'

const remote: ReadonlySet<EventType> = new Set(remoteEventTypes)

/** A request for access, or what was decided about it: not yet what happened at the door, and nobody presented anything. */
export function isRemoteEvent(type: EventType): boolean {
  return remote.has(type)
}
