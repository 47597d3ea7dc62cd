import { Button, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { isNotFound } from '@portcullis/client/api-error'
import { events } from '@portcullis/contract/collections/events'
import { SkeletonRows } from '../collection/collection-table.tsx'
import table from '../collection/collection-table.module.css'
import { EmptyNotice, ErrorNotice } from '../collection/list-notice.tsx'
import { Screen } from '../collection/screen.tsx'
import { viewerZone, zoneInWords } from '../collection/time-text.ts'
import { useItem } from '../collection/use-item.ts'
import { useListState } from '../collection/use-list-state.ts'
import { useOpenItem } from '../collection/use-open-item.ts'
import { useMinute } from '../parts/use-minute.ts'
import { text } from '../text/text.ts'
import { EventTable } from './event-table.tsx'
import { filterNames, type FilterValues } from './event-filters.ts'
import { FeedBadge } from './feed-badge.tsx'
import { FilterBar } from './filter-bar.tsx'
import styles from './events-screen.module.css'
import { useEventFeed } from './use-event-feed.ts'
import { useIsScrolled } from './use-is-scrolled.ts'
import { WhyPanel } from './why-panel.tsx'
import type { Event } from './why-telling.ts'

const place = { prefix: '', filterNames, sort: undefined, size: 50 }

/** What happens at doors and on controllers, as it happens; an event that is opened says why. */
export function EventsScreen() {
  const [{ filters: values }, change] = useListState(place)
  const isHeld = useIsScrolled()
  const now = useMinute()
  const { query, rows, heldCount, isNew, total } = useEventFeed({ values, now, isHeld })
  const { openId, open, close } = useOpenItem('event')
  const isWide = useMediaQuery('(min-width: 1240px)', undefined, { getInitialValueInEffect: false })
  const opened = openId === undefined ? undefined : <OpenEvent id={openId} known={rows} onClose={close} />

  function content() {
    if (query.data === undefined) return <Waiting error={query.error} onRetry={() => void query.refetch()} />
    if (rows.length > 0) return <EventTable rows={rows} now={now} openId={openId} isNew={isNew} onOpen={open} />
    return <Nothing values={values} onAnyTime={() => change({ filters: { ...values, time: 'all' } })} />
  }

  return (
    <div className={styles.screen} data-open={opened && isWide ? '' : undefined}>
      <section className={styles.list}>
        <Screen title={text('events.title')} beside={<FeedBadge heldCount={heldCount} isHeld={isHeld} />}>
          <FilterBar values={values} onChange={(filters) => change({ filters })} />
          <div
            className={table.panel}
            aria-busy={query.isFetching}
            data-stale={query.isPlaceholderData ? '' : undefined}
          >
            {content()}
          </div>
          {query.data && (
            <footer className={styles.foot}>
              <span>{total && totalWords({ ...total, isToday: values.time === undefined })}</span>
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
  if (values.time === 'all' && Object.keys(values).length === 1) {
    return <EmptyNotice title={text('events.empty')} hint={text('events.emptyHint')} />
  }
  const anyTime = values.time !== 'all' && (
    <Button variant="default" onClick={onAnyTime}>
      {text('events.anyTime')}
    </Button>
  )
  return <EmptyNotice title={text('events.emptyNow')} hint={text('events.emptyNowHint')} action={anyTime} />
}

function totalWords({ count, isExact, isToday }: { count: number; isExact: boolean; isToday: boolean }) {
  if (!isExact) return text('events.totalAtLeast', { count })
  return text(isToday ? 'events.todayTotal' : 'events.total', { count })
}
