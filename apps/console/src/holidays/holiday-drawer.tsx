import type { EntityOf } from '@portcullis/contract/collection'
import { holidays } from '@portcullis/contract/collections/holidays'
import { holidayKinds } from '@portcullis/domain/policy'
import { DeleteButton } from '../item/delete-button.tsx'
import { ChoiceField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { DatesField } from './dates-field.tsx'

type Holiday = EntityOf<typeof holidays>

const initial = { dates: [{ from: '', until: '', recurring: false }] }

export function HolidayDrawer({ item, onClose }: { item: Holiday | undefined; onClose: () => void }) {
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
