import type { CurrentUser } from '@portcullis/contract/calls/authentication'
import type { SessionPerson } from './session-store.ts'

/** The person of a session, as they are told who they are. */
export function currentUserOf({ memberships, session: _session, ...person }: SessionPerson): CurrentUser {
  return {
    ...person,
    role: memberships[0]?.role ?? null,
    accounts: memberships.map(({ ref, role, name }) => ({ ref, role, name })),
  }
}
