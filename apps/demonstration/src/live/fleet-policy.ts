import { usersOfRule, rulesAtDoor } from '@portcullis/domain/decision/applying-rules'
import { type PolicyIndex, policyIndex } from '@portcullis/domain/decision/gather-facts'
import { policyOf } from '@portcullis/domain/decision/policy-index'

/** One in this many of the users without access presents a card anyway. */
const unknownOneIn = 50

const cache = new WeakMap<PolicyIndex, PolicyIndex>()

/** The part of a policy that concerns the doors of these units, as it is now: a small part of a large estate. */
export function fleetPolicy(index: PolicyIndex, units: ReadonlySet<string>): PolicyIndex {
  const last = cache.get(index)
  const found = last?.version === index.version ? last : narrowed(index, units)
  cache.set(index, found)
  return found
}

function narrowed(index: PolicyIndex, units: ReadonlySet<string>): PolicyIndex {
  const policy = policyOf(index)
  const doors = policy.doors.filter(({ unit }) => unit !== null && units.has(unit))
  if (doors.length === policy.doors.length) return policyIndex(policy)
  const rules = new Set(doors.flatMap((door) => rulesAtDoor(index, door)))
  const concerned = new Set([...rules].flatMap((rule) => [...usersOfRule(index, rule)]))
  const credentials = policy.credentials.filter(
    ({ user }, at) => user === null || concerned.has(user) || at % unknownOneIn === 0,
  )
  const holders = new Set(credentials.map(({ user }) => user))
  const users = policy.users.filter(({ _id }) => holders.has(_id))
  return policyIndex({ ...policy, doors, rules: [...rules], credentials, users })
}
