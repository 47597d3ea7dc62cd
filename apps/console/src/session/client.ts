import { createClient } from '@portcullis/client/client'
import { assumedRef, standingRef, notifyActingEnded } from './acting-inside.ts'
import { askIdentity } from './identity-question.ts'
import { logFailure } from './log-failure.ts'
import { noteServerClock } from './server-clock.ts'
import { endSession } from './session-end.ts'

/** The client of the server, for the signed-in user in the current account. */
export const client = createClient({
  baseUrl: '',
  account: standingRef,
  assumed: assumedRef,
  onDate: noteServerClock,
  onSessionEnded: () => endSession('ended'),
  onFailed: ({ method, path }, error) => logFailure(`${method} ${path} failed`, error),
  confirmIdentity: askIdentity,
  onAssumptionEnded: () => notifyActingEnded('server'),
})
