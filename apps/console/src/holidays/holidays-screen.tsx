import { Button } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { holidays } from '@portcullis/contract/collections/holidays'
import { holidayKinds } from '@portcullis/domain/policy'
import { CollectionTable } from '../list/collection-table.tsx'
import { type BulkAction, deleteAction } from '../list/bulk/bulk-action.ts'
import type { Column } from '../list/data-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { scheduleTabs } from '../navigation/schedule-tabs.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { localMoment } from '../time/local-moment.ts'
import { useMinute } from '../time/use-minute.ts'
import { datesInWords, nextDateInWords } from './dates-in-words.ts'
import { DeleteButton } from '../item/delete-button.tsx'
import { ChoiceField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { ExportCalendar } from './export-calendar.tsx'
import { ImportFile } from './import-file.tsx'
import { ImportNational } from './import-national.tsx'
import { DatesField } from './dates-field.tsx'

const initial = { dates: [{ from: '', until: '', recurring: false }] }

type Holiday = EntityOf<typeof holidays>

const columns: Column<Holiday>[] = [
  { key: 'name', sort: 'name', phone: 'title', cell: ({ name }) => name },
  {
    key: 'kind',
    sort: 'kind',
    phone: 'aside',
    width: '140px',
    cell: ({ kind }) => text(`holidays.kinds.${kind}`),
  },
  {
    key: 'dates',
    phone: 'plain',
    cell: (holiday) => (
      <>
        {datesInWords(holiday.dates)}
        <NextDate holiday={holiday} />
      </>
    ),
  },
  {
    key: 'calendar',
    sort: 'calendar',
    phone: 'line',
    cell: ({ calendar }) => calendar ?? <span className="soft">{text('holidays.everySite')}</span>,
  },
]

const filters: ListFilter[] = [
  {
    name: 'kind',
    label: text('holidays.kind'),
    kind: 'choice',
    choices: choicesOf(holidayKinds, (kind) => text(`holidays.kinds.${kind}`)),
  },
  { name: 'calendar', label: text('holidays.calendar'), kind: 'text', isNullable: true, isSeldom: true },
]

const bulkActions: readonly BulkAction<Holiday>[] = [
  deleteAction({ of: holidays, title: (count) => text('bulk.delete.holidays', { count }) }),
]

/** Days on which schedules have other hours. */
export function HolidaysScreen() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', 'Schedules')
  const add = canManage && <Button onClick={openNew}>{text('holidays.add')}</Button>
  const actions = (
    <>
      <ExportCalendar />
      {canManage && <ImportNational />}
      {canManage && <ImportFile />}
      {add}
    </>
  )
  return (
    <Screen
      title={text('holidays.title')}
      beside={<ScreenTabs label={text('schedules.title')} tabs={scheduleTabs} />}
      actions={actions}
    >
      <CollectionTable
        of={holidays}
        label={text('holidays.title')}
        columns={columns}
        filters={filters}
        bulk={canManage ? bulkActions : []}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('holidays.empty'), hint: text('holidays.emptyHint'), action: add }}
      />
      <OpenItem of={holidays}>{(drawer) => <HolidayDrawer {...drawer} />}</OpenItem>
    </Screen>
  )
}

/** The next day of a holiday on the viewer's calendar. */
function NextDate({ holiday }: { holiday: Holiday }) {
  const today = localMoment(useMinute().toISOString()).slice(0, 10)
  const date = nextDateInWords(holiday, today)
  return (
    <span className="second">{date === undefined ? text('holidays.noNext') : text('holidays.next', { date })}</span>
  )
}

function HolidayDrawer({ item, onClose }: { item: Holiday | undefined; onClose: () => void }) {
  const canManage = useCan('manage', 'Schedules')
  const form = useItemForm({ of: holidays, item, initial, onSaved: onClose })
  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('holidays.add')}
      canSave={canManage}
      onClose={onClose}
      aside={canManage && item && <DeleteButton of={holidays} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} />
      <ChoiceField
        field={form.field('kind')}
        choices={holidayKinds.map((value) => ({ value, label: text(`holidays.kinds.${value}`) }))}
      />
      <DatesField field={form.field('dates')} canEdit={canManage} />
      <TextField field={form.field('calendar')} />
    </ItemDrawer>
  )
}
