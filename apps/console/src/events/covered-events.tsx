import { events } from '@portcullis/contract/collections/events'
import type { Filter } from '@portcullis/contract/list-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { exportColumns } from '../list/export/export-columns.ts'
import { ExportMenu } from '../list/export/export-menu.tsx'
import type { FilterValues } from '../list/filters/filters.ts'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { useList } from '../item/use-list.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './covered-events.module.css'
import { eventColumns } from './event-columns.tsx'
import { EventTable } from './event-table.tsx'

type Props = {
  filter: Filter
  /** The name of an export of them. */
  name: string
  /** The same filter in the address of the list of events; undefined where that cannot express it. */
  address: FilterValues | undefined
}

const columns = eventColumns.filter(({ isExtra }) => !isExtra)
const fileColumns = exportColumns(events, columns)

/** The events that a filter finds: their number, the newest, and all of them as a list and as an export. */
export function CoveredEvents({ filter, name, address }: Props) {
  const { ref } = useAccount()
  const navigate = useNavigate()
  const query = { filter, size: 20 }
  const { data, error, refetch, isPlaceholderData } = useList(events, query)
  const to: string = `/${ref}/events/list`
  const count = data?.page.totalElements ?? 0
  const isExact = data?.page.totalExact !== false

  function content() {
    if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
    if (data === undefined) return <SkeletonRows count={4} />
    if (data.items.length === 0) return <EmptyNotice title={text('reports.none')} hint={text('reports.noneHint')} />
    return (
      <EventTable
        rows={data.items}
        columns={columns}
        total={isExact ? count : undefined}
        onOpen={(event) => void navigate({ to, search: { ...address, event } })}
      />
    )
  }

  return (
    <section className={styles.covered} aria-label={text('reports.covered')}>
      <header className={styles.head}>
        <h2>
          {data ? text(isExact ? 'reports.covers' : 'reports.coversAtLeast', { count }) : text('reports.covered')}
        </h2>
        {address && (
          <Link to={to} search={{ ...address }}>
            {text('reports.showAll')}
          </Link>
        )}
        <ExportMenu of={events} label={name} query={{ filter }} columns={fileColumns} total={count} />
      </header>
      <div className={styles.panel} data-stale={isPlaceholderData ? '' : undefined}>
        {content()}
      </div>
      {count > query.size && <p className="soft">{text('reports.newest', { count: query.size })}</p>}
    </section>
  )
}
