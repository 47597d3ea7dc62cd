import { client } from './client.ts'
import { dropDrafts } from './drop-drafts.ts'
import { forgetPerson } from './kept-person.ts'
import { leaveSession } from './session-end.ts'
import { tellTabs } from './session-channel.ts'

/** Ends the session on the server and here (specification §4); who listens for the end closes the socket and goes to login. */
export function logOut() {
  return leave('logged_out')
}

/** The same for somebody who is not there any more: the way back leads to where they were. */
export function logOutIdle() {
  return leave('idle')
}

async function leave(reason: 'logged_out' | 'idle') {
  forgetPerson()
  dropDrafts()
  await leaveSession(reason, () => client.logout().catch(() => undefined))
  tellTabs({ kind: 'over' })
}
