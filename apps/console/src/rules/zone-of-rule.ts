import type { Where } from '@portcullis/domain/policy'

type Known = {
  doors: Iterable<{ _id: string; site: string }>
  sites: Iterable<{ _id: string; timeZone: string }>
  /** Members of door groups and site groups; nothing where a group is not known. */
  membersOf: (where: Where) => readonly string[] | undefined
}

/** The time zone of the sites that a rule names; nothing where they have several, or it can't be told. */
export function zoneOfRule(where: readonly Where[], { doors, sites, membersOf }: Known): string | undefined {
  const ids = new Set(where.flatMap((each) => [each.id, ...(membersOf(each) ?? [])]))
  const siteIds = new Set(ids)
  for (const { _id, site } of doors) if (ids.has(_id)) siteIds.add(site)
  const zones = new Set<string>()
  for (const { _id, timeZone } of sites) if (siteIds.has(_id)) zones.add(timeZone)
  const [zone, ...others] = zones
  return others.length === 0 ? zone : undefined
}
