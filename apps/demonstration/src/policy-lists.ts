import { type PolicyIndex, policyOf } from '@portcullis/domain/decision/policy-index'
import type { Policy } from '@portcullis/domain/policy'

const known = new WeakMap<PolicyIndex, Policy>()

/** The lists of a policy that no longer changes, cached. */
export function listsOf(index: PolicyIndex): Policy {
  const lists = known.get(index) ?? policyOf(index)
  known.set(index, lists)
  return lists
}
