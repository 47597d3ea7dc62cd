import type { EntityOf } from '@portcullis/contract/collection'
import { holidays } from '@portcullis/contract/collections/holidays'
import { holidayKinds } from '@portcullis/domain/policy'
import { DeleteButton } from '../item/delete-button.tsx'
import { ChoiceField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm, type ValuesOf } from '../form/use-item-form.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { DatesField } from './dates-field.tsx'

type Holiday = EntityOf<typeof holidays>

const labels = {
  name: text('holidays.name'),
  kind: text('holidays.kind'),
  dates: text('holidays.dates'),
  calendar: text('holidays.calendar'),
}

export function HolidayDrawer({ item, onClose }: { item: Holiday | undefined; onClose: () => void }) {
  const canManage = useCan('manage', 'Schedules')
  const form = useItemForm({ of: holidays, item, valuesOf: holidayValues, onSaved: onClose })
  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('holidays.add')}
      canSave={canManage}
      onClose={onClose}
      labels={labels}
      aside={canManage && item && <DeleteButton of={holidays} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} label={labels.name} />
      <ChoiceField
        field={form.field('kind')}
        label={labels.kind}
        choices={holidayKinds.map((value) => ({ value, label: text(`holidays.kinds.${value}`) }))}
      />
      <DatesField field={form.field('dates')} canEdit={canManage} />
      <TextField field={form.field('calendar')} label={labels.calendar} description={text('holidays.calendarHint')} />
    </ItemDrawer>
  )
}

function holidayValues(holiday: Holiday | undefined): ValuesOf<typeof holidays> {
  return {
    name: holiday?.name ?? '',
    kind: holiday?.kind ?? 'public',
    dates: holiday?.dates ?? [{ from: '', until: '', recurring: false }],
    calendar: holiday?.calendar ?? null,
  }
}
