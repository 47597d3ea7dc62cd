import type { Door, Rule, Where } from '../policy.ts'
import { type PolicyIndex, subjectKey } from './policy-index.ts'

/**
 * The doors that enabled rules name, directly, by site or through a group: of a rule's account and those below. Each door
 * comes once, and a place that thousands of rules name is read once.
 */
export function* doorsOfRules(index: PolicyIndex, rules: Iterable<RulePlaces>): Generator<Door> {
  const places = new Set<string>()
  const doors = new Set<Door>()
  for (const { enabled, account, where } of rules) {
    for (const place of enabled ? where : []) {
      const key = `${account} ${subjectKey(place)}`
      if (places.has(key)) continue
      places.add(key)
      for (const door of doorsAt(index, place)) {
        if (doors.has(door) || !index.lineageOf(door.account).includes(account)) continue
        doors.add(door)
        yield door
      }
    }
  }
}

/** Where a rule applies. */
export type RulePlaces = Pick<Rule, 'enabled' | 'account' | 'where'>

function doorsAt(index: PolicyIndex, { kind, id }: Where): readonly Door[] {
  switch (kind) {
    case 'Door':
      return found(index.doors.get(id))
    case 'Site':
      return index.doorsOfSite.get(id) ?? []
    case 'Door Group':
      return [...(index.doorGroups.members.get(id) ?? [])].flatMap((door) => index.doors.get(door) ?? [])
    case 'Site Group':
      return [...(index.siteGroups.members.get(id) ?? [])].flatMap((site) => index.doorsOfSite.get(site) ?? [])
  }
}

function found<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item]
}
