import type { CurrentUser } from '@portcullis/contract/calls/authentication'
import type { SessionPerson } from './session-store.ts'

/** The person of a session, as they are told who they are; what else the session knows of them is not told. */
export function currentUserOf({ memberships, ...person }: SessionPerson): CurrentUser {
  const { _id, name, email, img, hyper, idleTime, verified, consent } = person
  return {
    _id,
    name,
    email,
    img,
    role: memberships[0]?.role ?? null,
    hyper,
    idleTime,
    verified,
    accounts: memberships.map((membership) => ({
      ref: membership.ref,
      role: membership.role,
      name: membership.name,
    })),
    consent,
  }
}
