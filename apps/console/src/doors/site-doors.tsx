import { doors, doorStates } from '@portcullis/contract/collections/doors'
import { units } from '@portcullis/contract/collections/units'
import { Button } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { CollectionTable } from '../list/collection-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { ListSection } from '../list/list-section.tsx'
import { OpenItem } from '../item/open-item.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { type Door, doorColumns } from './door-columns.tsx'
import { DoorDrawer } from './door-drawer.tsx'
import { FollowUnits } from './unit-status.ts'
import { type BulkAction, deleteAction, patchAction } from '../list/bulk/bulk-action.ts'

const filters: ListFilter[] = [
  {
    name: 'state',
    label: text('doors.state'),
    kind: 'choice',
    choices: choicesOf(doorStates, (state) => text(`state.${state}`)),
  },
  {
    name: 'enabled',
    label: text('doors.enabled'),
    kind: 'yesNo',
    yes: text('doors.enabled'),
    no: text('state.disabled'),
    isSeldom: true,
  },
  { name: 'door', field: '_id', label: text('doors.one'), kind: 'reference', of: doors, isSeldom: true },
  { name: 'unitDoor', label: text('doors.unitDoor'), kind: 'number', isNullable: true, isSeldom: true },
]

const unitFilter: ListFilter = {
  name: 'unit',
  label: text('doors.unit'),
  kind: 'reference',
  of: units,
  isNullable: true,
  isSeldom: true,
}

type Props = { site: { _id: string; timeZone: string }; children: (door: Door) => ReactNode }

/** The doors of a site with their current state and the unlock button; `children` shows more about an open door. */
export function SiteDoors({ site, children }: Props) {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', doors.subject)
  const columns = useMemo(() => doorColumns(site.timeZone), [site.timeZone])
  const seesUnits = useCan('view', units.subject)
  const add = canManage && <Button onClick={openNew}>{text('doors.add')}</Button>

  return (
    <ListSection title={text('doors.title')} actions={add}>
      {seesUnits && <FollowUnits />}
      <CollectionTable
        of={doors}
        label={text('doors.title')}
        columns={columns}
        filters={seesUnits ? [...filters, unitFilter] : filters}
        list="doors.site"
        bulk={useDoorActions()}
        within={{ site: site._id }}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={(door) => open(door._id)}
        empty={{ title: text('doors.empty'), hint: text('doors.emptyHint'), action: add }}
      />
      <OpenItem of={doors}>{(drawer) => <DoorDrawer {...drawer} site={site} details={children} />}</OpenItem>
    </ListSection>
  )
}

/** The bulk actions on doors that this user may perform. */
function useDoorActions(): readonly BulkAction<Door>[] {
  return useCan('manage', doors.subject) ? actions : none
}

const none: readonly BulkAction<Door>[] = []

const actions: readonly BulkAction<Door>[] = [
  patchAction({
    of: doors,
    key: 'enable',
    label: text('bulk.enableDoors'),
    title: (count) => text('bulk.enableDoorsTitle', { count }),
    changes: () => ({ enabled: true }),
  }),
  patchAction({
    of: doors,
    key: 'disable',
    label: text('bulk.disableDoors'),
    title: (count) => text('bulk.disableDoorsTitle', { count }),
    hint: text('doors.enabledHint'),
    changes: () => ({ enabled: false }),
  }),
  deleteAction({ of: doors, title: (count) => text('bulk.delete.doors', { count }) }),
]
