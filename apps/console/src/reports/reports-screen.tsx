import { Button } from '@mantine/core'
import { reports } from '@portcullis/contract/collections/reports'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type BulkAction, deleteAction } from '../list/bulk/bulk-action.ts'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import type { FilterValues, ListFilter } from '../list/filters/filters.ts'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { Time } from '../time/time.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { reportFromAddress } from '../navigation/report-address.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { type Covered, type Report, ReportDrawer } from './report-drawer.tsx'
import { ReportSummary } from './report-summary.tsx'

const actions: readonly BulkAction<Report>[] = [
  deleteAction({ of: reports, title: (count) => text('reports.deleteMany', { count }) }),
]

type Props = { filters: readonly ListFilter[]; eventsOf: (covered: Covered) => ReactNode }

/** Incident reports: saved filters of events, with a name. */
export function ReportsScreen({ filters, eventsOf }: Props) {
  const { open, openNew, openId } = useOpenItem()
  const { initial, forget } = useInitial()
  const canManage = useCan('manage', 'Incident Reports')
  const add = canManage && <Button onClick={openNew}>{text('reports.add')}</Button>
  return (
    <Screen title={text('reports.title')} actions={add}>
      <CollectionTable
        of={reports}
        label={text('reports.title')}
        columns={columnsWith(filters)}
        bulk={canManage ? actions : []}
        sort={{ prop: 'updatedAt', dir: 'desc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('reports.empty'), hint: text('reports.emptyHint'), action: add }}
      />
      <OpenItem of={reports}>
        {({ item }) => (
          <ReportDrawer item={item} onClose={forget} filters={filters} initial={initial} eventsOf={eventsOf} />
        )}
      </OpenItem>
    </Screen>
  )
}

function columnsWith(filters: readonly ListFilter[]): Column<Report>[] {
  return [
    {
      key: 'name',
      sort: 'name',
      phone: 'title',
      width: '34%',
      cell: ({ name }) => <bdi>{name}</bdi>,
    },
    {
      key: 'filter',
      phone: 'plain',
      cell: ({ filter }) => <ReportSummary filters={filters} filter={filter} />,
    },
    {
      key: 'changed',
      sort: 'updatedAt',
      phone: 'line',
      width: '170px',
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
  ]
}

/** The filters of the list of events, where a new report was started there. */
function useInitial() {
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const navigate = useNavigate()
  const initial: FilterValues = reportFromAddress(search)

  function forget() {
    void navigate({
      to: '.',
      search: ({ open: _open, events: _events, ...rest }: Record<string, string | undefined>) => rest,
      resetScroll: false,
    })
  }

  return { initial, forget }
}
