import type { HolderFacts, Recertification } from './access-facts.ts'
import type { Credential, User } from '../policy.ts'
import { membershipKey, type PolicyIndex } from './policy-index.ts'
import { dayMs } from '../time/zone.ts'

/** The membership under which a credential is held: that of its own account, else of the nearest account above. */
export function holderOf(index: PolicyIndex, { user, account }: Credential): User | undefined {
  return user === null ? undefined : membershipAbove(index, { user, account })
}

/** How an account knows a person who presents nothing there: itself, else the nearest account above, else any other that does. */
export function membershipNear(index: PolicyIndex, of: PersonInAccount): User | undefined {
  const held = membershipAbove(index, of)
  if (held !== undefined) return held
  const elsewhere = index.policy.users.filter(({ _id }) => _id === of.user)
  return elsewhere.toSorted((a, b) => (a.account < b.account ? -1 : 1))[0]
}

type PersonInAccount = { readonly user: string; readonly account: string }

function membershipAbove(index: PolicyIndex, { user, account }: PersonInAccount): User | undefined {
  for (const held of index.lineageOf(account)) {
    const membership = index.memberships.get(membershipKey(user, held))
    if (membership !== undefined) return membership
  }
  return undefined
}

export function holderFacts(index: PolicyIndex, user: User): HolderFacts {
  const { _id, name, status, validFrom, validUntil } = user
  return { _id, name, status, validFrom, validUntil, recertification: recertificationOf(index, user) }
}

/** Enforced by the nearest account that says so. */
function recertificationOf(index: PolicyIndex, user: User): Recertification {
  const days = recertifyEveryDays(index, user.account)
  return days === null ? { enforced: false } : { enforced: true, by: recertifyBy(user, days) }
}

/**
 * The moment at which a membership has to be recertified where that is enforced every so many days: they count from the last
 * recertification, else from the start of validity. `null` where there is neither: then it was due from the beginning.
 */
export function recertifyBy(
  { lastRecertifiedAt, validFrom }: Pick<User, 'lastRecertifiedAt' | 'validFrom'>,
  days: number,
): string | null {
  const since = Date.parse(lastRecertifiedAt ?? validFrom ?? '')
  return Number.isNaN(since) ? null : new Date(since + days * dayMs).toISOString()
}

function recertifyEveryDays(index: PolicyIndex, account: string): number | null {
  for (const id of index.lineageOf(account)) {
    const days = index.accounts.get(id)?.recertifyEveryDays ?? null
    if (days !== null) return days
  }
  return null
}
