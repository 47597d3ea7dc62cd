import { EventsScreen } from '../events/events-screen.tsx'
import { useCan } from '../session/session-context.tsx'
import { NotOpenPage } from './not-open-page.tsx'

/** The events of the account; a plain page for those whom every gate sends here and who may not see them either. */
export function EventsPage() {
  return useCan('view', 'Access Events') ? <EventsScreen /> : <NotOpenPage />
}
