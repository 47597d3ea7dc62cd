import type { HolderFacts, Recertification } from './access-facts.ts'
import type { Credential, User } from '../policy.ts'
import type { PolicyIndex } from './policy-index.ts'
import { dayMs } from '../time/zone.ts'

/** The membership of a credential's holder: in the credential's account, otherwise in the nearest account above. */
export function holderOf(index: PolicyIndex, { user, account }: Credential): User | undefined {
  return user === null ? undefined : membershipAbove(index, { user, account })
}

/**
 * The membership of a user who presents no credential: in the account, else in the nearest above, else in any other.
 */
export function nearestMembership(index: PolicyIndex, of: UserInAccount): User | undefined {
  const held = membershipAbove(index, of)
  if (held !== undefined) return held
  return index.membershipsOfUser.get(of.user)?.[0]
}

type UserInAccount = { readonly user: string; readonly account: string }

function membershipAbove(index: PolicyIndex, { user, account }: UserInAccount): User | undefined {
  const memberships = index.membershipsOfUser.get(user)
  if (memberships === undefined) return undefined
  for (const held of index.lineageOf(account)) {
    for (const membership of memberships) if (membership.account === held) return membership
  }
  return undefined
}

export function holderFacts(index: PolicyIndex, user: User): HolderFacts {
  const { _id, name, status, validFrom, validUntil } = user
  return { _id, name, status, validFrom, validUntil, recertification: recertificationOf(index, user) }
}

/** Set by the nearest account that enforces it. */
function recertificationOf(index: PolicyIndex, user: User): Recertification {
  const days = recertifyEveryDays(index, user.account)
  return days === null ? notEnforced : { enforced: true, by: recertifyBy(user, days) }
}

const notEnforced: Recertification = { enforced: false }

/**
 * The deadline to recertify a membership: `days` after the last recertification, or after the start of validity. `null`
 * if there is neither: it is then due at once.
 */
export function recertifyBy(
  { lastRecertifiedAt, validFrom }: Pick<User, 'lastRecertifiedAt' | 'validFrom'>,
  days: number,
): string | null {
  const since = Date.parse(lastRecertifiedAt ?? validFrom ?? '')
  return Number.isNaN(since) ? null : new Date(since + days * dayMs).toISOString()
}

function recertifyEveryDays(index: PolicyIndex, account: string): number | null {
  const { recertifyEveryDays: computed } = index.computed
  const known = computed.get(account)
  if (known !== undefined) return known
  const days = nearestRecertifyEveryDays(index, account)
  computed.set(account, days)
  return days
}

function nearestRecertifyEveryDays(index: PolicyIndex, account: string): number | null {
  for (const id of index.lineageOf(account)) {
    const days = index.accounts.get(id)?.recertifyEveryDays ?? null
    if (days !== null) return days
  }
  return null
}
