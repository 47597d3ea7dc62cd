import { client } from './client.ts'
import { forgetSession } from './forget-session.ts'
import { keepPerson, keptPerson } from './kept-person.ts'

/** Before the lock screen shows: whoever was signed in is so no longer. Answers whether there is somebody to ask for a password. */
export async function enterLock(): Promise<boolean> {
  const person = keptPerson()
  if (person) keepPerson({ ...person, isLocked: true })
  // Waited for, so that its answer can't take the cookie of the next sign-in away.
  await client.logout().catch(() => undefined)
  forgetSession()
  return person !== undefined
}
