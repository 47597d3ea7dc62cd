/** The entity under which the outbox notifies every server that a unit waits for the outcome of a request that it raised. */
export const outcomesInOutbox = 'unitOutcomes'
/** The entity under which the outbox notifies every server that a user requests a heartbeat of a unit. */
export const heartbeatsInOutbox = 'unitHeartbeats'
