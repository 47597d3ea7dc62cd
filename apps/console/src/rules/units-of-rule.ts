import type { Door, Where } from '@portcullis/domain/policy'

type UnitsOfRuleInput = {
  doors: Iterable<Pick<Door, '_id' | 'site' | 'unit'>>
  /** Members of door groups and site groups; undefined for an unknown group. */
  membersOf: (where: Where) => readonly string[] | undefined
}

/** The units of the doors that a rule names; undefined if they are unknown. */
export function unitsOfRule(where: readonly Where[], { doors, membersOf }: UnitsOfRuleInput): Set<string> | undefined {
  const doorIds = new Set<string>()
  const siteIds = new Set<string>()
  for (const each of where) {
    const ids = each.kind === 'Door' || each.kind === 'Site' ? [each.id] : membersOf(each)
    if (ids === undefined) return undefined
    const target = each.kind === 'Door' || each.kind === 'Door Group' ? doorIds : siteIds
    for (const id of ids) target.add(id)
  }
  const units = new Set<string>()
  for (const { _id, site, unit } of doors) {
    if (unit !== null && (doorIds.has(_id) || siteIds.has(site))) units.add(unit)
  }
  return units
}
