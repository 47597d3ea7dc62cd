import { useDeferredValue } from 'react'
import { CoveredEvents } from '../events/covered-events.tsx'
import { EventsView } from '../events/events-view.tsx'
import { useEventFeed } from '../events/use-event-feed.ts'
import { useEventFilters } from '../events/use-event-filters.ts'
import { type EventsPage as Page, useEventsPage } from '../events/use-events-page.ts'
import type { Covered } from '../reports/report-drawer.tsx'
import { ReportsScreen } from '../reports/reports-screen.tsx'
import { useCan } from '../session/session-context.tsx'
import { NotOpenPage } from './not-open-page.tsx'

/** The events of the account. Users are sent here without permission for a screen, so users who may not see events get a page. */
export function EventsPage() {
  return useCan('view', 'Access Events') ? <EventsScreen /> : <NotOpenPage />
}

/** Events at doors and on controllers in real time. An open event shows its reason. */
function EventsScreen() {
  return <LiveEvents page={useEventsPage()} />
}

/** Renders new events at low priority, so typing, clicking and scrolling come first. */
function LiveEvents({ page }: { page: Page }) {
  return <EventsView page={page} feed={useDeferredValue(useEventFeed(page))} />
}

/** Incident reports, each with the events that it covers. */
export function ReportsPage() {
  return <ReportsScreen filters={useEventFilters()} eventsOf={eventsOf} />
}

function eventsOf(covered: Covered) {
  return <CoveredEvents {...covered} />
}
