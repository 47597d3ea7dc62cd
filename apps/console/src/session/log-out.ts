import { client } from './client.ts'
import { dropDrafts } from './drop-drafts.ts'
import { endSession } from './session-end.ts'

/** Ends the session on the server and here (specification §4); who listens for the end closes the socket and goes to login. */
export async function logOut() {
  await client.logout().catch(() => undefined)
  dropDrafts()
  endSession('logged_out')
}
