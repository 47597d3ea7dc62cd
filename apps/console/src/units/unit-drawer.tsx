import type { EntityOf } from '@portcullis/contract/collection'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { DeleteButton } from '../item/delete-button.tsx'
import { ReferenceField, SwitchField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm, type ValuesOf } from '../form/use-item-form.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { EnrolUnit } from './enrol-unit.tsx'
import { UnitFacts } from './unit-facts.tsx'

type Unit = EntityOf<typeof units>
type Props = { item: Unit | undefined; onClose: () => void; onMade: (unit: Unit) => void }

const labels = {
  name: text('units.name'),
  serial: text('units.serial'),
  model: text('units.model'),
  site: text('units.site'),
  inService: text('units.inService'),
}

/** A controller: what it reports, what one sets, and how it is enrolled. A new one stays open, for its enrolment follows. */
export function UnitDrawer({ item, onClose, onMade }: Props) {
  const canManage = useCan('manage', 'Controllers')
  const form = useItemForm({
    of: units,
    item,
    valuesOf: unitValues,
    onSaved: (unit) => (item ? onClose() : onMade(unit)),
  })

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('units.add')}
      canSave={canManage}
      onClose={onClose}
      labels={labels}
      before={item && <UnitFacts unit={item}>{canManage && <EnrolUnit unit={item} />}</UnitFacts>}
      aside={canManage && item && <DeleteButton of={units} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} label={labels.name} />
      <TextField field={form.field('serial')} label={labels.serial} />
      <TextField field={form.field('model')} label={labels.model} />
      <ReferenceField of={sites} field={form.field('site')} label={labels.site} placeholder={text('form.none')} />
      <SwitchField field={form.field('inService')} label={labels.inService} description={text('units.inServiceHint')} />
    </ItemDrawer>
  )
}

function unitValues(unit: Unit | undefined): ValuesOf<typeof units> {
  return {
    name: unit?.name ?? '',
    serial: unit?.serial ?? '',
    model: unit?.model ?? null,
    site: unit?.site ?? null,
    inService: unit?.inService ?? true,
  }
}
