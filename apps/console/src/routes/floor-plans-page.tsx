import { getRouteApi } from '@tanstack/react-router'
import { DoorCard } from '../doors/door-card.tsx'
import { DoorTags } from '../doors/door-columns.tsx'
import { DoorTable } from '../doors/door-table.tsx'
import { FollowUnits } from '../doors/unit-status.ts'
import { FloorPlans } from '../floor-plans/floor-plans.tsx'
import { SiteScreen } from '../sites/site-screen.tsx'

const route = getRouteApi('/$account/sites/$site/floorPlans')

/** The parts of floor plans that show doors. */
const parts = { DoorTags, DoorCard, DoorTable, FollowUnits }

/** The floor plans of a site, with its doors. */
export function FloorPlansPage() {
  const { site: id } = route.useParams()
  return <SiteScreen id={id}>{(site) => <FloorPlans site={site} parts={parts} />}</SiteScreen>
}
