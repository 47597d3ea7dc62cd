import { useDeferredValue } from 'react'
import { EventsView } from './events-view.tsx'
import { useEventFeed } from './use-event-feed.ts'
import { type EventsPage, useEventsPage } from './use-events-page.ts'

/** What happens at doors and on controllers, as it happens; an event that is opened says why. */
export function EventsScreen() {
  return <LiveEvents page={useEventsPage()} />
}

/** What arrives is drawn piece by piece in the time that is left: whoever types, presses or scrolls meanwhile comes first. */
function LiveEvents({ page }: { page: EventsPage }) {
  return <EventsView page={page} feed={useDeferredValue(useEventFeed(page))} />
}
