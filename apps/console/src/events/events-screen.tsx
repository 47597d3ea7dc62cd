import { Button, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { isNotFound } from '@portcullis/client/api-error'
import { events } from '@portcullis/contract/collections/events'
import table from '../collection/list-panel.module.css'
import { droppedNames } from '../collection/dropped-names.ts'
import { exportColumns } from '../collection/export-columns.ts'
import { anyTime, filterOf, type FilterValues } from '../collection/filters.ts'
import { DroppedBar, StaleBar } from '../collection/list-bars.tsx'
import { ListHead } from '../collection/list-head.tsx'
import { EmptyNotice, ErrorNotice } from '../collection/list-notice.tsx'
import { type ListPlace, withoutDropped } from '../collection/list-state.ts'
import { ListToolbar } from '../collection/list-toolbar.tsx'
import { Screen } from '../collection/screen.tsx'
import { shownColumns } from '../collection/shown-columns.ts'
import { SkeletonRows } from '../collection/skeleton-rows.tsx'
import { viewerZone, zoneInWords } from '../collection/time-text.ts'
import { useIsNarrow } from '../collection/use-is-narrow.ts'
import { useIsScrolled } from '../collection/use-is-scrolled.ts'
import { useItem } from '../collection/use-item.ts'
import { useListState } from '../collection/use-list-state.ts'
import { useOpenItem } from '../collection/use-open-item.ts'
import { useShownColumns } from '../collection/use-shown-columns.ts'
import { useMinute } from '../parts/use-minute.ts'
import { text } from '../text/text.ts'
import { eventColumns } from './event-columns.tsx'
import { EventTable } from './event-table.tsx'
import styles from './events-screen.module.css'
import { useEventFeed } from './use-event-feed.ts'
import { useEventFilters } from './use-event-filters.ts'
import { WhyPanel } from './why-panel.tsx'
import type { Event } from '../parts/why-telling.ts'

const size = 50
const columnKeys = eventColumns.map(({ key }) => key)

/** What happens at doors and on controllers, as it happens; an event that is opened says why. */
export function EventsScreen() {
  const filters = useEventFilters()
  const place: ListPlace = { prefix: '', filters, sortable: [], columnKeys, sort: undefined, size }
  const { state, change, search, go } = useListState(place)
  const { shown, choose } = useShownColumns({ of: events, list: events.name, columns: eventColumns, place, state, go })
  const isHeld = useIsScrolled()
  const isNarrow = useIsNarrow()
  const now = useMinute()
  const filterAt = (moment: Date) => filterOf(filters, state.filters, moment)
  const { query, rows, heldCount, isNew, total } = useEventFeed({ filterAt, now, isHeld })
  const { openId, open, close } = useOpenItem('event')
  const isWide = useMediaQuery('(min-width: 1240px)', undefined, { getInitialValueInEffect: false })
  const opened = openId === undefined ? undefined : <OpenEvent id={openId} known={rows} onClose={close} />
  const filter = filterAt(now)

  function content() {
    if (query.data === undefined) return <Waiting error={query.error} onRetry={() => void query.refetch()} />
    const columns = isNarrow ? shownColumns(eventColumns, undefined) : shown
    if (rows.length > 0) return <EventTable {...{ rows, columns, now, openId, isNew, onOpen: open }} />
    return <Nothing values={state.filters} onAnyTime={() => change({ filters: { ...state.filters, time: anyTime } })} />
  }

  return (
    <div className={styles.screen} data-open={opened && isWide ? '' : undefined}>
      <section className={styles.list}>
        <Screen title={text('events.title')}>
          <ListHead
            of={events}
            label={text('events.title')}
            list={events.name}
            query={filter ? { filter } : {}}
            columns={eventColumns}
            fileColumns={exportColumns(events, shown)}
            total={total?.count ?? 0}
            isBare={false}
            live={{ isHeld, newCount: heldCount, onShow: () => window.scrollTo({ top: 0 }) }}
            {...{ place, search, shown, choose }}
          />
          <ListToolbar
            label={text('events.title')}
            state={state}
            filters={filters}
            hasSearch={false}
            orders={[]}
            total={total?.count}
            onChange={change}
          />
          {state.dropped.length > 0 && (
            <DroppedBar
              names={droppedNames(state.dropped, filters)}
              onForget={() => go((current) => withoutDropped(current, place, state.dropped), { isReplacing: true })}
            />
          )}
          {query.data !== undefined && query.isError && (
            <StaleBar error={query.error} onRetry={() => void query.refetch()} />
          )}
          <div
            className={table.panel}
            aria-busy={query.isFetching}
            data-stale={query.isPlaceholderData ? '' : undefined}
          >
            {content()}
          </div>
          {query.data && (
            <footer className={styles.foot}>
              <span>{total && totalWords({ ...total, isToday: state.filters['time'] === undefined })}</span>
              {query.hasNextPage && (
                <Button
                  variant="default"
                  size="xs"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {text('events.older')}
                </Button>
              )}
              <span className={styles.zone}>{text('list.times', { zone: zoneInWords(viewerZone) })}</span>
            </footer>
          )}
        </Screen>
      </section>
      {opened && isWide && <aside className={styles.why}>{opened}</aside>}
      {opened && !isWide && (
        <Drawer
          opened
          onClose={close}
          withCloseButton={false}
          aria-label={text('why.title')}
          classNames={{ body: styles.body }}
        >
          {opened}
        </Drawer>
      )}
    </div>
  )
}

type OpenProps = { id: string; known: readonly Event[]; onClose: () => void }

/** An event from the list or, where a link led here, from the server. */
function OpenEvent({ id, known, onClose }: OpenProps) {
  const listed = known.find(({ _id }) => _id === id)
  const asked = useItem(events, listed ? undefined : id)
  const event = listed ?? asked.data
  if (event) return <WhyPanel key={id} event={event} onClose={onClose} />
  if (!asked.isError) return <SkeletonRows count={6} />
  if (!isNotFound(asked.error)) return <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} />
  const close = (
    <Button variant="default" onClick={onClose}>
      {text('action.close')}
    </Button>
  )
  return <EmptyNotice title={text('why.gone')} hint={text('why.goneHint')} action={close} />
}

function Waiting({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  return error ? <ErrorNotice error={error} onRetry={onRetry} /> : <SkeletonRows count={10} />
}

/** Nothing happened yet, or nothing that was asked for. */
function Nothing({ values, onAnyTime }: { values: FilterValues; onAnyTime: () => void }) {
  if (values['time'] === anyTime && Object.keys(values).length === 1) {
    return <EmptyNotice title={text('events.empty')} hint={text('events.emptyHint')} />
  }
  const action = values['time'] !== anyTime && (
    <Button variant="default" onClick={onAnyTime}>
      {text('events.anyTime')}
    </Button>
  )
  return <EmptyNotice title={text('events.emptyNow')} hint={text('events.emptyNowHint')} action={action} />
}

function totalWords({ count, isExact, isToday }: { count: number; isExact: boolean; isToday: boolean }) {
  if (!isExact) return text('events.totalAtLeast', { count })
  return text(isToday ? 'events.todayTotal' : 'events.total', { count })
}
