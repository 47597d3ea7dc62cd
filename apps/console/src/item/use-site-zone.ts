import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { useFieldOf } from './use-field-of.ts'

/** The time zone of a site; undefined while it loads, and where the user may not see the site. */
export function useSiteZone(site: string | null | undefined): string | undefined {
  return useFieldOf(sites, { id: site, field: 'timeZone' })
}

/** The time zone of the site of a door, as of a site. */
export function useDoorZone(door: string | null | undefined): string | undefined {
  return useSiteZone(useFieldOf(doors, { id: door, field: 'site' }))
}
