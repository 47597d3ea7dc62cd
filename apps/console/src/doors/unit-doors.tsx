import { doors } from '@portcullis/contract/collections/doors'
import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useList } from '../item/use-list.ts'
import { useLive } from '../item/use-live.ts'
import { useSiteZone } from '../item/use-site-zone.ts'
import { DataTable } from '../list/data-table.tsx'
import { ListSection } from '../list/list-section.tsx'
import { TablePanel } from '../list/table-panel.tsx'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { StateTag } from '../ui/state-tag.tsx'
import { viewerZone } from '../time/time-text.ts'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { type Door, doorColumns } from './door-columns.tsx'
import { FollowUnits } from './unit-status.ts'

function doorNumber({ unitDoor }: Door) {
  return unitDoor ?? <StateTag state="no_number" />
}

type Props = { unit: Pick<EntityOf<typeof units>, '_id' | 'site'> }

const labels = new Map([
  ['name', text('doors.name')],
  ['state', text('doors.state')],
  ['unit', text('doors.unitDoor')],
  ['commands', text('doors.commands')],
])

/** The doors wired to a controller with their current state; a row opens the door on its site. */
export function UnitDoors({ unit }: Props) {
  return useCan('view', doors.subject) && <Doors unit={unit} />
}

function Doors({ unit }: Props) {
  const { ref } = useAccount()
  const navigate = useNavigate()
  const zone = useSiteZone(unit.site) ?? viewerZone
  const { data, error, refetch, isFetching } = useList(doors, {
    filter: { unit: unit._id },
    sort: { prop: 'unitDoor', dir: 'asc' },
    size: 100,
  })
  useLive(doors)
  const columns = useMemo(
    () =>
      doorColumns(zone).flatMap((column) => {
        const label = labels.get(column.key)
        if (label === undefined) return []
        // All of them have this controller.
        return [column.key === 'unit' ? { ...column, label, width: '140px', cell: doorNumber } : { ...column, label }]
      }),
    [zone],
  )

  function open({ _id, site }: Door) {
    const to: string = `/${ref}/sites/${site}`
    void navigate({ to, search: { open: _id } })
  }

  function content(minWidth: number | undefined) {
    if (!data) return error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonRows count={3} />
    if (data.items.length === 0) return <EmptyNotice title={text('doors.empty')} hint={text('doors.emptyOfUnit')} />
    return (
      <DataTable
        label={text('doors.title')}
        items={data.items}
        columns={columns}
        total={data.items.length}
        firstAt={0}
        minWidth={minWidth}
        onOpen={open}
      />
    )
  }

  return (
    <ListSection title={text('doors.title')}>
      <FollowUnits />
      <TablePanel columns={columns} isFetching={isFetching} isStale={false}>
        {content}
      </TablePanel>
    </ListSection>
  )
}
