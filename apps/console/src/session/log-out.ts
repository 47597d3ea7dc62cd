import { client } from './client.ts'
import { dropDrafts } from './drop-drafts.ts'
import { forgetPerson } from './remembered-user.ts'
import { leaveSession } from './session-end.ts'
import { postToTabs } from './session-channel.ts'

/** Ends the session on the server and here (specification §4); listeners close the socket and go to login. */
export function logOut() {
  return leave('logged_out')
}

/** The same for a user who was idle: the way back leads to where they were. */
export function logOutIdle() {
  return leave('idle')
}

async function leave(reason: 'logged_out' | 'idle') {
  forgetPerson()
  dropDrafts()
  await leaveSession(reason, () => client.logout().catch(() => undefined))
  postToTabs({ kind: 'over' })
}
