import type { EntityOf } from '@portcullis/contract/collection'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { DeleteButton } from '../item/delete-button.tsx'
import { ReferenceField, SwitchField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { EnrolUnit } from './enrol-unit.tsx'
import { UnitFacts } from './unit-facts.tsx'

type Unit = EntityOf<typeof units>
type Props = { item: Unit | undefined; onClose: () => void; onMade: (unit: Unit) => void }

/** A controller: what it reports, what one sets, and how it is enrolled. A new one stays open, for its enrolment follows. */
export function UnitDrawer({ item, onClose, onMade }: Props) {
  const canManage = useCan('manage', 'Controllers')
  const form = useItemForm({
    of: units,
    item,
    onSaved: (unit) => (item ? onClose() : onMade(unit)),
  })

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('units.add')}
      canSave={canManage}
      onClose={onClose}
      before={item && <UnitFacts unit={item}>{canManage && <EnrolUnit unit={item} />}</UnitFacts>}
      aside={canManage && item && <DeleteButton of={units} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} />
      <TextField field={form.field('serial')} />
      <TextField field={form.field('model')} />
      <ReferenceField of={sites} field={form.field('site')} placeholder={text('form.none')} />
      <SwitchField field={form.field('inService')} />
    </ItemDrawer>
  )
}
