import { Button } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { interlockingGroups } from '@portcullis/contract/collections/interlocking-groups'
import { ReferencesField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { DeleteButton } from '../item/delete-button.tsx'
import { NamesOf } from '../item/names-of.tsx'
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

type Interlock = EntityOf<typeof interlockingGroups>

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
]

const bulk: BulkAction<Interlock>[] = [deleteAction({ of, title: (count) => text('bulk.delete.groups', { count }) })]

/** Doors of one controller, of which only one may be open at a time. */
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

function InterlockDrawer({ item, onClose }: { item: Interlock | undefined; onClose: () => void }) {
  const canManage = useCan('manage', of.subject)
  const form = useItemForm({ of, item, onSaved: onClose })
  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('interlockingGroups.add')}
      canSave={canManage}
      onClose={onClose}
      aside={canManage && item && <DeleteButton of={of} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} />
      <ReferencesField of={doors} field={form.field('doors')} />
    </ItemDrawer>
  )
}
