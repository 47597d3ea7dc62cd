import { events } from '@portcullis/contract/collections/events'
import { filterOf } from '../list/filters/filters.ts'
import type { ListPlace } from '../list/state/list-state.ts'
import { shownColumns } from '../list/views/shown-columns.ts'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { useIsScrolled } from '../ui/use-is-scrolled.ts'
import { useListState } from '../list/state/use-list-state.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { useShownColumns } from '../list/views/use-shown-columns.ts'
import { useMinute } from '../time/use-minute.ts'
import { eventColumns } from './event-columns.tsx'
import { useEventFilters } from './use-event-filters.ts'

const columnKeys = eventColumns.map(({ key }) => key)
const phoneColumns = shownColumns(eventColumns, undefined)

/** The query of the events, from the address and the user's position; nothing in it changes when events arrive. */
export type EventsPage = ReturnType<typeof useEventsPage>

export function useEventsPage() {
  const filters = useEventFilters()
  const place: ListPlace = { prefix: '', filters, sortable: [], columnKeys, sort: undefined, size: 50 }
  const { state, change, search, go } = useListState(place)
  const { shown, choose } = useShownColumns({ of: events, list: events.name, columns: eventColumns, place, state, go })
  const isHeld = useIsScrolled()
  const isNarrow = useIsNarrow()
  const now = useMinute()
  const { openId, open, close } = useOpenItem('event')
  const filterAt = (moment: Date) => filterOf(filters, state.filters, moment)
  return {
    place,
    state,
    change,
    search,
    go,
    shown,
    choose,
    isHeld,
    now,
    filterAt,
    openId,
    open,
    close,
    columns: isNarrow ? phoneColumns : shown,
    filter: filterAt(now),
  }
}
