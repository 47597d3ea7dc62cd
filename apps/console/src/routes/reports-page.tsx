import { CoveredEvents } from '../events/covered-events.tsx'
import { useEventFilters } from '../events/use-event-filters.ts'
import { ReportsScreen } from '../reports/reports-screen.tsx'
import type { Covered } from '../reports/report-drawer.tsx'

/** Incident reports, with the events that each tells of. */
export function ReportsPage() {
  return <ReportsScreen filters={useEventFilters()} eventsOf={eventsOf} />
}

function eventsOf(covered: Covered) {
  return <CoveredEvents {...covered} />
}
