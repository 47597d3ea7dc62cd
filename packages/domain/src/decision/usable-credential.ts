import type { Credential, User } from '../policy.ts'
import { holderOf } from './holder-facts.ts'
import type { PolicyIndex } from './policy-index.ts'

/** The holder of a credential that can open a door at some time after `from`, if a rule allows it. */
export function usableHolder(index: PolicyIndex, credential: Credential, from: number): User | undefined {
  const holder = holderOf(index, credential)
  if (holder === undefined || holder.status !== 'active' || credential.status !== 'active') return undefined
  return endedBefore(credential, from) || endedBefore(holder, from) ? undefined : holder
}

/** Ids of credentials. */
export type ChangedCredentials = { readonly ended: readonly string[]; readonly usable: readonly string[] }

type ChangedItems = { readonly users: Iterable<string>; readonly credentials: Iterable<string>; readonly now: number }

/** The credentials that a change of these users and credentials concerns. Deleted ones have ended. */
export function changedCredentials(index: PolicyIndex, { users, credentials, now }: ChangedItems): ChangedCredentials {
  const ofUsers = [...users].flatMap((user) => index.credentialsOfUser.get(user) ?? []).map(({ _id }) => _id)
  const ids = [...new Set([...credentials, ...ofUsers])]
  const { usable = [], ended = [] } = Object.groupBy(ids, (id) => {
    const credential = index.credentials.get(id)
    return credential && usableHolder(index, credential, now) ? 'usable' : 'ended'
  })
  return { ended, usable }
}

function endedBefore({ validUntil }: { readonly validUntil: string | null }, from: number): boolean {
  return validUntil !== null && Date.parse(validUntil) <= from
}
