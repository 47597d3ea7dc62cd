/** The entity under which the outbox notifies every server that a unit waits for the outcome of a request that it raised. */
export const outcomesInOutbox = 'unitOutcomes'
/** The entity under which the outbox notifies every server that a user requests a heartbeat of a unit. */
export const heartbeatsInOutbox = 'unitHeartbeats'
/** The entity under which the outbox notifies every server of passages that units share, by the id of the passage. */
export const passagesInOutbox = 'unitPassages'
