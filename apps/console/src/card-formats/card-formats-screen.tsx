import type { EntityOf } from '@portcullis/contract/collection'
import { cardFormats } from '@portcullis/contract/collections/card-formats'
import { Button } from '@mantine/core'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { DeleteButton } from '../item/delete-button.tsx'
import { LongTextField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { userTabs } from '../navigation/user-tabs.ts'
import { useItemForm } from '../form/use-item-form.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './card-formats.module.css'

type CardFormat = EntityOf<typeof cardFormats>

const columns: Column<CardFormat>[] = [
  { key: 'name', sort: 'name', phone: 'title', width: '34%', cell: ({ name }) => name },
  {
    key: 'layout',
    phone: 'line',
    cell: ({ layout }) =>
      text('cardFormats.bits', { count: layout.indexOf('\n') < 0 ? layout.length : layout.indexOf('\n') }),
  },
]

/** The formats of Wiegand cards that only this account knows. */
export function CardFormatsScreen() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', cardFormats.subject)
  const add = canManage && <Button onClick={openNew}>{text('cardFormats.add')}</Button>
  return (
    <Screen
      title={text('cardFormats.title')}
      beside={<ScreenTabs label={text('users.all')} tabs={userTabs} />}
      actions={add}
    >
      <CollectionTable
        of={cardFormats}
        label={text('cardFormats.title')}
        columns={columns}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('cardFormats.empty'), hint: text('cardFormats.emptyHint'), action: add }}
      />
      <OpenItem of={cardFormats}>{(drawer) => <CardFormatDrawer {...drawer} />}</OpenItem>
    </Screen>
  )
}

function CardFormatDrawer({ item, onClose }: { item: CardFormat | undefined; onClose: () => void }) {
  const canManage = useCan('manage', cardFormats.subject)
  const form = useItemForm({ of: cardFormats, item, onSaved: onClose })
  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('cardFormats.add')}
      canSave={canManage}
      onClose={onClose}
      aside={canManage && item && <DeleteButton of={cardFormats} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} />
      <div className={styles.layout}>
        <LongTextField field={form.field('layout')} placeholder={text('cardFormats.layoutExample')} />
      </div>
    </ItemDrawer>
  )
}
