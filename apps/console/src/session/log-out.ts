import { client } from './client.ts'
import { endSession } from './session-end.ts'

/** Ends the session on the server and here (specification §4); who listens for the end closes the socket and goes to login. */
export async function logOut() {
  await client.logout().catch(() => undefined)
  endSession('logged_out')
}
