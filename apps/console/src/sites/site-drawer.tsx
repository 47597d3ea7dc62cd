import type { EntityOf } from '@portcullis/contract/collection'
import { sites } from '@portcullis/contract/collections/sites'
import { DeleteButton } from '../item/delete-button.tsx'
import { LongTextField, TextField, WordsField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { TimeZoneField } from '../form/time-zone-field.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { LocationField } from './location-field.tsx'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

type Site = EntityOf<typeof sites>

type Props = {
  item: Site | undefined
  onClose: () => void
  onSaved?: (site: Site) => void
  onDeleted?: () => void
}

export function SiteDrawer({ item, onClose, onSaved, onDeleted }: Props) {
  const canManage = useCan('manage', sites.subject)
  const { defaultTimeZone } = useAccount()
  const form = useItemForm({
    of: sites,
    item,
    initial: { timeZone: defaultTimeZone },
    onSaved: onSaved ?? onClose,
  })

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('sites.add')}
      canSave={canManage}
      onClose={onClose}
      aside={
        canManage && item && <DeleteButton of={sites} id={item._id} name={item.name} onDeleted={onDeleted ?? onClose} />
      }
    >
      <TextField field={form.field('name')} />
      <TimeZoneField field={form.field('timeZone')} />
      <LongTextField field={form.field('address')} />
      <WordsField field={form.field('calendars')} />
      <LocationField field={form.field('location')} canEdit={canManage} />
    </ItemDrawer>
  )
}
