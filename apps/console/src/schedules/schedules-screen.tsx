import { Button } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { schedules } from '@portcullis/contract/collections/schedules'
import { type HolidayHours, type HolidayKind, holidayKinds } from '@portcullis/domain/policy'
import { CollectionTable } from '../list/collection-table.tsx'
import { type BulkAction, deleteAction } from '../list/bulk/bulk-action.ts'
import type { Column } from '../list/data-table.tsx'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { hoursInWords, windowsInWords } from '../time/hours-in-words.ts'
import { scheduleTabs } from '../navigation/schedule-tabs.ts'
import { Week } from '../time/week.tsx'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { CopyHours } from './copy-hours.tsx'
import { DaysPreview } from './days-preview.tsx'
import { DeleteSchedule } from './delete-schedule.tsx'
import { HolidayHoursField } from './holiday-hours-field.tsx'
import { ScheduleUses } from './schedule-uses.tsx'
import { WeekDrawing } from './week-drawing.tsx'
import { WindowsField } from './windows-field.tsx'
import { listOf } from '../text/catalogue.ts'

const initial = { windows: [{ days: [1, 2, 3, 4, 5], start: '08:00', end: '17:00' }] }

type Schedule = EntityOf<typeof schedules>

const columns: Column<Schedule>[] = [
  { key: 'name', sort: 'name', phone: 'title', width: '22%', cell: ({ name }) => name },
  {
    key: 'hours',
    label: text('schedules.windows'),
    phone: 'plain',
    fields: { windows: text('schedules.windows') },
    cell: ({ windows }) => <Hours windows={windows} />,
  },
  {
    key: 'week',
    phone: 'plain',
    width: '150px',
    cell: ({ windows }) => <Week windows={windows} size="small" />,
  },
  {
    key: 'holidays',
    label: text('schedules.onHolidays'),
    phone: 'hidden',
    width: '26%',
    fields: { holidayHours: text('schedules.onHolidays') },
    cell: ({ holidayHours }) => holidayHoursInWords(holidayHours),
  },
]

const actions: readonly BulkAction<Schedule>[] = [
  deleteAction({ of: schedules, title: (count) => text('bulk.delete.schedules', { count }) }),
]

/** Schedules: the hours in which rules apply, by week, and on holidays. */
export function SchedulesScreen() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', 'Schedules')
  const add = canManage && <Button onClick={openNew}>{text('schedules.add')}</Button>
  return (
    <Screen
      title={text('schedules.title')}
      beside={<ScreenTabs label={text('schedules.title')} tabs={scheduleTabs} />}
      actions={add}
    >
      <CollectionTable
        of={schedules}
        label={text('schedules.tab')}
        columns={columns}
        bulk={canManage ? actions : []}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('schedules.empty'), hint: text('schedules.emptyHint'), action: add }}
      />
      <OpenItem of={schedules}>{(drawer) => <ScheduleDrawer {...drawer} />}</OpenItem>
    </Screen>
  )
}

function Hours({ windows }: Pick<Schedule, 'windows'>) {
  if (windows.length === 0) return <span className="soft">{windowsInWords(windows)}</span>
  return windows.map((window) => <div key={JSON.stringify(window)}>{windowsInWords([window])}</div>)
}

/** `Closed`, or the hours on each kind of holiday: `Public closed, special 10:00 to 12:00`. */
function holidayHoursInWords(hours: Readonly<Record<HolidayKind, HolidayHours>>): string {
  const hoursByKind = holidayKinds.map((kind) => ({ kind, words: inWords(hours[kind]) }))
  const [first] = hoursByKind
  if (first && hoursByKind.every(({ words }) => words === first.words)) return capital(first.words)
  const each = hoursByKind.map(({ kind, words }) =>
    text('schedules.kindHours', { kind: text(`holidays.kinds.${kind}`).toLowerCase(), hours: words }),
  )
  return capital(listOf(each))
}

function inWords(hours: HolidayHours): string {
  if (hours === 'closed') return text('schedules.holidayClosed')
  if (hours === 'asUsual') return text('schedules.holidayAsUsual')
  return hours.map(hoursInWords).join('; ')
}

function capital(words: string) {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A schedule: its hours through the week, drawn while they are edited, and those of holidays. */
function ScheduleDrawer({ item, onClose }: { item: Schedule | undefined; onClose: () => void }) {
  const canManage = useCan('manage', 'Schedules')
  const form = useItemForm({ of: schedules, item, initial, onSaved: onClose })
  const windows = form.field('windows')

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('schedules.add')}
      canSave={canManage}
      onClose={onClose}
      width={560}
      aside={canManage && item && <DeleteSchedule item={item} onDeleted={onClose} />}
      after={item && <ScheduleUses schedule={item._id} />}
    >
      <TextField field={form.field('name')} />
      <WindowsField field={windows} canEdit={canManage} />
      <WeekDrawing windows={windows.value} canEdit={canManage} onChange={windows.onChange} />
      {canManage && <CopyHours windows={windows.value} onChange={windows.onChange} />}
      <HolidayHoursField field={form.field('holidayHours')} canEdit={canManage} />
      <DaysPreview windows={windows.value} holidayHours={form.values.holidayHours} />
    </ItemDrawer>
  )
}
