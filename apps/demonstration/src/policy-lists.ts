import { type PolicyIndex, policyOf } from '@portcullis/domain/decision/policy-index'
import type { Policy } from '@portcullis/domain/policy'

const cache = new WeakMap<PolicyIndex, Policy>()

/** The lists of a policy that no longer changes, cached. */
export function listsOf(index: PolicyIndex): Policy {
  const lists = cache.get(index) ?? policyOf(index)
  cache.set(index, lists)
  return lists
}
