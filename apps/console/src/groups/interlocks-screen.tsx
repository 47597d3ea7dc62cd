import { Button, Skeleton } from '@mantine/core'
import { doors } from '@portcullis/contract/collections/doors'
import { interlockingGroups } from '@portcullis/contract/collections/interlocking-groups'
import { units } from '@portcullis/contract/collections/units'
import { NamesOf } from '../item/names-of.tsx'
import { useFieldsOf } from '../item/use-field-of.ts'
import { OpenItem } from '../item/open-item.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { type BulkAction, deleteAction } from '../list/bulk/bulk-action.ts'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { siteTabs } from '../navigation/site-tabs.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { type Interlock, InterlockDrawer } from './interlock-drawer.tsx'

const of = interlockingGroups

const columns: Column<Interlock>[] = [
  { key: 'name', sort: 'name', phone: 'title', width: '34%', cell: ({ name }) => name },
  {
    key: 'doors',
    phone: 'plain',
    cell: ({ doors: ids }) => (
      <NamesOf of={doors} ids={ids} count={text('interlockingGroups.count', { count: ids.length })} />
    ),
  },
  {
    key: 'units',
    label: text('units.title'),
    fields: {},
    phone: 'plain',
    width: '24%',
    cell: ({ doors: ids }) => <Controllers ids={ids} />,
  },
]

/** How many controllers the doors have: several ask the server. An interlock with one door does nothing. */
function Controllers({ ids }: { ids: readonly string[] }) {
  const unitIds = useFieldsOf(doors, { ids, field: 'unit' })
  if (ids.length < 2) return <StateTag state="no_effect" />
  if (!unitIds) return <Skeleton height={12} width="60%" />
  const count = new Set(unitIds).size
  return (
    <>
      {text('interlockingGroups.units', { count })}
      {count > 1 && <span className="second">{text('interlockingGroups.shared')}</span>}
      {count > 1 && <Unreported units={[...new Set(unitIds)]} />}
    </>
  )
}

/** A controller that is not online keeps the doors of the others locked if it has a door open, or not reported. */
function Unreported({ units: ids }: { units: readonly string[] }) {
  const statuses = useFieldsOf(units, { ids, field: 'status' })
  if (!statuses || statuses.every((status) => status === 'online')) return null
  return <StateTag state="out_of_step">{text('interlockingGroups.states.unknown')}</StateTag>
}

const bulk: BulkAction<Interlock>[] = [deleteAction({ of, title: (count) => text('bulk.delete.groups', { count }) })]

/** Doors of which only one may be open at a time. */
export function InterlocksScreen() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', of.subject)
  const add = canManage && <Button onClick={openNew}>{text('interlockingGroups.add')}</Button>
  return (
    <Screen
      title={text('interlockingGroups.title')}
      beside={<ScreenTabs label={text('sites.title')} tabs={siteTabs} />}
      actions={add}
    >
      <CollectionTable
        of={of}
        label={text('interlockingGroups.title')}
        columns={columns}
        bulk={canManage ? bulk : []}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{
          title: text('interlockingGroups.empty'),
          hint: text('interlockingGroups.emptyHint'),
          action: add,
        }}
      />
      <OpenItem of={of}>{(drawer) => <InterlockDrawer {...drawer} />}</OpenItem>
    </Screen>
  )
}
