import type { CurrentUser } from '@portcullis/contract/calls/authentication'
import type { SessionPerson } from './session-store.ts'

/** The fields of a session's user that the user may see. */
export function currentUserOf({ memberships, ...person }: SessionPerson): CurrentUser {
  const { _id, name, email, img, hyper, idleTime, language, verified, consent } = person
  return {
    _id,
    name,
    email,
    img,
    role: memberships[0]?.role ?? null,
    hyper,
    idleTime,
    language,
    verified,
    accounts: memberships.map((membership) => ({
      ref: membership.ref,
      role: membership.role,
      name: membership.name,
    })),
    consent,
  }
}
