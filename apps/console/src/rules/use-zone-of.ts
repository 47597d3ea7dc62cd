import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import type { Where } from '@portcullis/domain/policy'
import { useWhole } from '../subjects/use-whole.ts'

/** The time zone of the sites that a rule names; undefined if they have several, or it is unknown. */
export function useZoneOf(where: readonly Where[]): string | undefined {
  const allDoors = useWhole(doors)
  const allSites = useWhole(sites)
  const groups = [useWhole(doorGroups).byId, useWhole(siteGroups).byId]
  const zone = zoneOf(where, {
    doors: allDoors.byId.values(),
    sites: allSites.byId.values(),
    membersOf: ({ id }) => groups.map((byId) => byId.get(id)?.members).find((members) => members !== undefined),
  })
  return allDoors.isWhole && allSites.isWhole ? zone : undefined
}

type ZoneOfInput = {
  doors: Iterable<{ _id: string; site: string }>
  sites: Iterable<{ _id: string; timeZone: string }>
  /** Members of door groups and site groups; undefined for an unknown group. */
  membersOf: (where: Where) => readonly string[] | undefined
}

function zoneOf(where: readonly Where[], { doors, sites, membersOf }: ZoneOfInput): string | undefined {
  const ids = new Set(where.flatMap((each) => [each.id, ...(membersOf(each) ?? [])]))
  const siteIds = new Set(ids)
  for (const { _id, site } of doors) if (ids.has(_id)) siteIds.add(site)
  const zones = new Set<string>()
  for (const { _id, timeZone } of sites) if (siteIds.has(_id)) zones.add(timeZone)
  const [zone, ...others] = zones
  return others.length === 0 ? zone : undefined
}
