import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import type { floorPlans, Placement } from '@portcullis/contract/collections/floor-plans'
import { units } from '@portcullis/contract/collections/units'
import { pageSize } from '@portcullis/contract/list-query'
import { useMemo } from 'react'
import { useList } from '../item/use-list.ts'
import { useLive } from '../item/use-live.ts'
import { useCan } from '../session/session-context.tsx'

export type FloorPlan = EntityOf<typeof floorPlans>
export type Door = EntityOf<typeof doors>
export type Unit = EntityOf<typeof units>

/** An item of the site with its place. */
export type Placed = { placement: Placement } & ({ door: Door; unit?: never } | { unit: Unit; door?: never })

const none: readonly never[] = []

/** What can be placed on the plans of a site, as it changes: its first 500 doors, and its controllers where the user sees them. */
export function useItemsOfSite(site: string) {
  const seesUnits = useCan('view', units.subject)
  const byName = { sort: { prop: 'name', dir: 'asc' }, size: pageSize.most } as const
  const doorList = useList(doors, { ...byName, filter: { site } })
  const ofDoors = useUnitsOf(doorList.data?.items ?? none)
  const unitList = useList(
    units,
    { ...byName, filter: { or: [{ site }, { _id: { in: ofDoors } }] } },
    { isEnabled: seesUnits && doorList.data !== undefined },
  )
  useLive(doors)
  return {
    doors: doorList.data?.items ?? none,
    units: unitList.data?.items ?? none,
    error: doorList.error ?? unitList.error,
    isPending: doorList.isPending || (seesUnits && unitList.isPending),
    retry: () => void Promise.all([doorList.refetch(), unitList.refetch()]),
  }
}

/** The ids of their controllers; the same array until one changes. */
function useUnitsOf(all: readonly Door[]) {
  const ids = [...new Set(all.flatMap(({ unit }) => unit ?? []))].toSorted().join(',')
  return useMemo(() => (ids === '' ? [] : ids.split(',')), [ids])
}

export type ItemsOfSite = ReturnType<typeof useItemsOfSite>

/** The items of the site at these places, by name; places of other items are left out. */
export function placedItems(placements: readonly Placement[], { doors: all, units: controllers }: ItemsOfSite) {
  const byId = new Map(placements.map((placement) => [placement.id, placement]))
  const placed: Placed[] = []
  for (const door of all) {
    const placement = byId.get(door._id)
    if (placement?.kind === 'Door') placed.push({ placement, door })
  }
  for (const unit of controllers) {
    const placement = byId.get(unit._id)
    if (placement?.kind === 'Controller') placed.push({ placement, unit })
  }
  return placed
}
