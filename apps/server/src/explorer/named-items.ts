import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'

/** An item of a policy that has a name and one account; users, who may belong to several, are not among them. */
export function itemOf(index: PolicyIndex, id: string): { name: string; account: string } | undefined {
  const { sites, doors, units, userGroups, doorGroups, siteGroups, rules, storedSchedules, holidays } = index
  const groups = [userGroups, doorGroups, siteGroups].map((each) => each.groups)
  for (const items of [doors, sites, units, rules, storedSchedules, holidays, ...groups]) {
    const item = items.get(id)
    if (item) return item
  }
  return undefined
}

/** Normalises a text for searching, without case and accents. */
export function searchTextOf(text: string) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
