import type { EntityOf } from '@portcullis/contract/collection'
import { schedules } from '@portcullis/contract/collections/schedules'
import { DeleteButton } from '../item/delete-button.tsx'
import { TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { DaysPreview } from './days-preview.tsx'
import { HolidayHoursField } from './holiday-hours-field.tsx'
import { WeekDrawing } from './week-drawing.tsx'
import { WindowsField } from './windows-field.tsx'

type Schedule = EntityOf<typeof schedules>

const initial = { windows: [{ days: [1, 2, 3, 4, 5], start: '08:00', end: '17:00' }] }

/** A schedule: its hours through the week, drawn while they are written, and those of holidays. */
export function ScheduleDrawer({ item, onClose }: { item: Schedule | undefined; onClose: () => void }) {
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
      aside={canManage && item && <DeleteButton of={schedules} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} />
      <WindowsField field={windows} canEdit={canManage} />
      <WeekDrawing windows={windows.value} canEdit={canManage} onChange={windows.onChange} />
      <HolidayHoursField field={form.field('holidayHours')} canEdit={canManage} />
      <DaysPreview windows={windows.value} holidayHours={form.values.holidayHours} />
    </ItemDrawer>
  )
}
