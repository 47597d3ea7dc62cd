import { Button, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { isNotFound } from '@portcullis/client/api-error'
import { events } from '@portcullis/contract/collections/events'
import { memo, type ReactNode, useMemo } from 'react'
import { droppedNames } from '../list/filters/dropped-names.ts'
import { exportColumns } from '../list/export/export-columns.ts'
import { anyTime, type FilterValues } from '../list/filters/filters.ts'
import { DroppedBar, StaleBar } from '../list/list-bars.tsx'
import { ListHead } from '../list/list-head.tsx'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { withoutDropped } from '../list/state/list-state.ts'
import { ListToolbar } from '../list/list-toolbar.tsx'
import { TablePanel } from '../list/table-panel.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { viewerZone, zoneInWords } from '../time/time-text.ts'
import { useItem } from '../item/use-item.ts'
import { eventTabs } from '../navigation/event-tabs.ts'
import { text } from '../text/text.ts'
import { eventColumns, withSiteTimes } from './event-columns.tsx'
import { EventTable } from './event-table.tsx'
import styles from './events-view.module.css'
import type { EventFeed } from './use-event-feed.ts'
import type { EventsPage } from './use-events-page.ts'
import { WhyPanel } from './why-panel.tsx'
import type { Event } from '../why/explanation.ts'
import { useNavigate } from '@tanstack/react-router'
import { IconFileAlert } from '@tabler/icons-react'
import { reportAddress } from '../navigation/report-address.ts'
import { useAccount, useCan } from '../session/session-context.tsx'

type Props = { page: EventsPage; feed: EventFeed }

/** The list of events with its head and filters, and the open event beside or above it. */
export const EventsView = memo(function EventsView({ page, feed }: Props) {
  const { place, state, change, filter, now, openId, open, close } = page
  const { defaultTimeZone } = useAccount()
  const { rows, arrivalOf, error, retry } = feed
  const columns = useMemo(() => {
    return withSiteTimes(page.columns, [defaultTimeZone, ...rows.map(({ data }) => data.names.timeZone)])
  }, [page.columns, rows, defaultTimeZone])
  const count = feed.total?.count
  const isWide = useMediaQuery('(min-width: 1240px)', undefined, { getInitialValueInEffect: false })
  const opened = openId === undefined ? undefined : <OpenEvent id={openId} rows={rows} onClose={close} />

  const isBeside = opened !== undefined && isWide

  function staleBar() {
    return feed.isLoaded && error ? <StaleBar error={error} onRetry={retry} /> : undefined
  }

  function content(minWidth: number | undefined) {
    if (!feed.isLoaded) return <Waiting error={error} onRetry={retry} />
    if (rows.length > 0) {
      const total = feed.total?.isExact ? count : undefined
      return <EventTable {...{ rows, columns, total, openId, arrivalOf, minWidth, onOpen: open }} />
    }
    return <Nothing values={state.filters} onAnyTime={() => change({ filters: { ...state.filters, time: anyTime } })} />
  }

  return (
    <div className={styles.screen} data-open={isBeside ? '' : undefined}>
      <section className={styles.list}>
        <Screen
          title={text('events.title')}
          beside={<ScreenTabs label={text('events.title')} tabs={eventTabs} />}
          // Beside an open event there is no room for it on the same line.
          actions={!isBeside && <KeepAsReport values={state.filters} />}
        >
          <ListHead
            of={events}
            label={text('events.title')}
            list={events.name}
            query={{ ...(filter && { filter }) }}
            columns={eventColumns}
            fileColumns={exportColumns(events, page.shown)}
            total={count ?? 0}
            isBare={false}
            live={{ isHeld: page.isHeld, newCount: feed.heldCount, onShow: () => window.scrollTo({ top: 0 }) }}
            {...{ place, search: page.search, shown: page.shown, choose: page.choose }}
          />
          <ListToolbar
            label={text('events.title')}
            state={state}
            filters={place.filters}
            hasSearch={false}
            orders={[]}
            total={count}
            onChange={change}
          />
          {state.dropped.length > 0 && <Dropped page={page} />}
          {staleBar()}
          <TablePanel columns={columns} isFetching={feed.isFetching} isStale={feed.isPlaceholderData}>
            {content}
          </TablePanel>
          {feed.isLoaded && <Foot feed={feed} isToday={state.filters['time'] === undefined} now={now} />}
        </Screen>
      </section>
      {opened && (
        <Beside isWide={isWide} onClose={close}>
          {opened}
        </Beside>
      )}
    </div>
  )
})

function Dropped({ page: { place, state, go } }: { page: EventsPage }) {
  return (
    <DroppedBar
      names={droppedNames(state.dropped, place.filters)}
      onForget={() => go((current) => withoutDropped(current, place, state.dropped), { isReplacing: true })}
    />
  )
}

/** The open event: beside the list where there is room, otherwise over it. */
function Beside({ isWide, onClose, children }: { isWide: boolean; onClose: () => void; children: ReactNode }) {
  if (isWide) return <aside className={styles.why}>{children}</aside>
  return (
    <Drawer
      opened
      onClose={onClose}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': text('why.title') } }}
      classNames={{ body: styles.body }}
    >
      {children}
    </Drawer>
  )
}

function Foot({ feed, isToday, now }: { feed: EventFeed; isToday: boolean; now: Date }) {
  const { total, hasOlder, isFetchingNextPage, showOlder } = feed
  return (
    <footer className={styles.foot}>
      <span>{total && totalWords({ ...total, isToday })}</span>
      {hasOlder && (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={showOlder}>
          {text('events.older')}
        </Button>
      )}
      <span className={styles.zone}>{text('list.times', { zone: zoneInWords(viewerZone, now) })}</span>
    </footer>
  )
}

type OpenProps = { id: string; rows: readonly Event[]; onClose: () => void }

/** An event from the list or, where a link led here, from the server. */
function OpenEvent({ id, rows, onClose }: OpenProps) {
  const listed = rows.find(({ _id }) => _id === id)
  const input = useItem(events, listed ? undefined : id)
  const event = listed ?? input.data
  if (event) return <WhyPanel key={id} event={event} onClose={onClose} />
  if (!input.isError) return <SkeletonRows count={6} />
  if (!isNotFound(input.error)) return <ErrorNotice error={input.error} onRetry={() => void input.refetch()} />
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

/** No events yet, or none that match. */
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

/** Creates an incident report from the listed events. */
function KeepAsReport({ values }: { values: FilterValues }) {
  const canReport = useCan('manage', 'Incident Reports')
  const { ref } = useAccount()
  const navigate = useNavigate()
  if (!canReport) return null
  const { path, search } = reportAddress(values)
  const to: string = `/${ref}${path}`
  return (
    <Button
      variant="default"
      leftSection={<IconFileAlert size={16} aria-hidden="true" />}
      onClick={() => void navigate({ to, search })}
    >
      {text('reports.save')}
    </Button>
  )
}
