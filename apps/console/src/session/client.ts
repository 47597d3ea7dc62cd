import { createClient } from '@portcullis/client/client'
import { currentAccountRef } from './account-ref.ts'
import { noteServerClock } from './server-clock.ts'
import { endSession } from './session-end.ts'

/** The server, asked as the signed-in person in the current account. */
export const client = createClient({
  baseUrl: '',
  account: currentAccountRef,
  onDate: noteServerClock,
  onSessionEnded: () => endSession('ended'),
})
