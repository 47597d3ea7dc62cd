import { useMemo } from 'react'
import { DataTable } from '../list/data-table.tsx'
import { TablePanel } from '../list/table-panel.tsx'
import { fieldLabel } from '../text/field-label.ts'
import { text } from '../text/text.ts'
import { type Door, doorColumns } from './door-columns.tsx'

type Props = { doors: readonly Door[]; zone: string; onOpen: (door: Door) => void }

/** Doors that were read already, with their current state and their commands. */
export function DoorTable({ doors, zone, onOpen }: Props) {
  const columns = useMemo(
    () =>
      doorColumns(zone)
        .filter(({ key }) => key !== 'times')
        .map((column) => ({ ...column, label: fieldLabel('doors', column.key) })),
    [zone],
  )
  return (
    <TablePanel columns={columns} isFetching={false} isStale={false}>
      {(minWidth) => (
        <DataTable
          label={text('doors.title')}
          items={doors}
          columns={columns}
          total={doors.length}
          firstAt={0}
          minWidth={minWidth}
          onOpen={onOpen}
        />
      )}
    </TablePanel>
  )
}
