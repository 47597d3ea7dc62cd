import type { Policy } from '../policy.ts'
import { emptyIndex, groupLists, type UpdatableIndex } from './policy-index.ts'
import { changeMembers, setItems } from './update-index.ts'

/** Indexes a whole policy at once. */
export function policyIndex(policy: Policy): UpdatableIndex {
  const index = emptyIndex()
  index.lockdownPlans = new Map(policy.lockdownPlans.map((plan) => [plan._id, plan]))
  index.version = policy.version
  for (const item of policy.accounts) setItems(index, { list: 'accounts', id: item._id, items: [item] })
  for (const item of policy.sites) setItems(index, { list: 'sites', id: item._id, items: [item] })
  for (const item of policy.doors) setItems(index, { list: 'doors', id: item._id, items: [item] })
  for (const item of policy.units) setItems(index, { list: 'units', id: item._id, items: [item] })
  for (const [id, items] of Map.groupBy(policy.users, ({ _id }) => _id)) setItems(index, { list: 'users', id, items })
  for (const item of policy.credentials) setItems(index, { list: 'credentials', id: item._id, items: [item] })
  for (const item of policy.rules) setItems(index, { list: 'rules', id: item._id, items: [item] })
  for (const item of policy.schedules) setItems(index, { list: 'schedules', id: item._id, items: [item] })
  for (const item of policy.holidays) setItems(index, { list: 'holidays', id: item._id, items: [item] })
  for (const list of groupLists) {
    for (const { members, ...group } of policy[list]) {
      setItems(index, { list, id: group._id, items: [group] })
      changeMembers(index, { list, group: group._id, added: members, removed: [] })
    }
  }
  return index
}
