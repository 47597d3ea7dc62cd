import { getRouteApi } from '@tanstack/react-router'
import { SiteDoors } from '../doors/site-doors.tsx'
import { DayChart } from '../events/day-chart.tsx'
import { SiteScreen } from '../sites/site-screen.tsx'

const route = getRouteApi('/$account/sites/$site')

/** A site and its doors on one page. */
export function SitePage() {
  const { site: id } = route.useParams()
  return (
    <SiteScreen id={id}>
      {(site) => (
        <>
          <SiteDoors site={site} />
          <DayChart site={site} />
        </>
      )}
    </SiteScreen>
  )
}
