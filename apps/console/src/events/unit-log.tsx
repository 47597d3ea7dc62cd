import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { anyTime } from '../list/filters/filters.ts'
import { ListSection } from '../list/list-section.tsx'
import { TablePanel } from '../list/table-panel.tsx'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { useMinute } from '../time/use-minute.ts'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { eventColumns, withSiteTimes } from './event-columns.tsx'
import { EventTable } from './event-table.tsx'
import { useEventFeed } from './use-event-feed.ts'

const maxRows = 20
const columns = eventColumns.filter(({ isExtra }) => !isExtra)

/** The newest events of a controller and its doors; new ones appear at the top. */
export function UnitLog({ unit }: { unit: string }) {
  return useCan('view', 'Access Events') && <Log unit={unit} />
}

function Log({ unit }: { unit: string }) {
  const { ref, defaultTimeZone } = useAccount()
  const navigate = useNavigate()
  const filter = { unit }
  const feed = useEventFeed({ filterAt: () => filter, now: useMinute(), isHeld: false })
  const rows = feed.rows.slice(0, maxRows)
  const shown = useMemo(
    () => withSiteTimes(columns, [defaultTimeZone, ...feed.rows.map(({ data }) => data.names.timeZone)]),
    [feed.rows, defaultTimeZone],
  )
  const to: string = `/${ref}/events/list`
  const search = { unit, time: anyTime }

  function content(minWidth: number | undefined) {
    if (!feed.isLoaded) return feed.error ? <ErrorNotice error={feed.error} onRetry={feed.retry} /> : <SkeletonRows />
    if (rows.length === 0) return <EmptyNotice title={text('events.empty')} hint={text('events.emptyHint')} />
    return (
      <EventTable
        rows={rows}
        columns={shown}
        total={rows.length}
        arrivalOf={feed.arrivalOf}
        minWidth={minWidth}
        onOpen={(event) => void navigate({ to, search: { ...search, event } })}
      />
    )
  }

  return (
    <ListSection
      title={text('events.log')}
      actions={
        <Link to={to} search={search}>
          {text('events.allOfUnit')}
        </Link>
      }
    >
      <TablePanel columns={shown} isFetching={feed.isFetching} isStale={false}>
        {content}
      </TablePanel>
    </ListSection>
  )
}
