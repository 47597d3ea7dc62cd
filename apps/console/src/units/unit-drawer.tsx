import type { EntityOf } from '@portcullis/contract/collection'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { ReferenceField, SwitchField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { DeleteButton } from '../item/delete-button.tsx'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { UnitFacts } from './unit-facts.tsx'
import { UnitTrust } from './unit-trust.tsx'

type Unit = EntityOf<typeof units>
type Props = {
  item: Unit | undefined
  onClose: () => void
  /** A new controller stays open, because its enrolment follows. */
  onMade?: (unit: Unit) => void
  /** On the controller's page, which shows its reports and actions itself. */
  isOnPage?: boolean
}

/** A controller: its reports, its settings, and its enrolment. */
export function UnitDrawer({ item, onClose, onMade, isOnPage = false }: Props) {
  const canManage = useCan('manage', units.subject)
  const form = useItemForm({
    of: units,
    item,
    onSaved: (unit) => (item ? onClose() : onMade?.(unit)),
  })
  const isWhole = item && !isOnPage

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('units.add')}
      canSave={canManage}
      onClose={onClose}
      before={isWhole && <UnitFacts unit={item}>{canManage && <UnitTrust unit={item} />}</UnitFacts>}
      aside={canManage && isWhole && <DeleteButton of={units} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} />
      <TextField field={form.field('serial')} />
      <TextField field={form.field('model')} />
      <ReferenceField of={sites} field={form.field('site')} placeholder={text('form.none')} />
      <SwitchField field={form.field('inService')} />
    </ItemDrawer>
  )
}
