import { getRouteApi } from '@tanstack/react-router'
import { SiteDoors } from '../doors/site-doors.tsx'
import { DayChart } from '../events/day-chart.tsx'
import { DoorAccessPanel } from '../explorer/access-panel.tsx'
import { SiteScreen } from '../sites/site-screen.tsx'

const route = getRouteApi('/$account/sites/$site')

/** A site and its doors on one page, with the users who can open each. */
export function SitePage() {
  const { site: id } = route.useParams()
  return (
    <SiteScreen id={id}>
      {(site) => (
        <>
          <SiteDoors site={site}>{(door) => <DoorAccessPanel door={door._id} />}</SiteDoors>
          <DayChart site={site} />
        </>
      )}
    </SiteScreen>
  )
}
