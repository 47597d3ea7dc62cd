import { Checkbox, Stack } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { contactNotices, contacts } from '@portcullis/contract/collections/contacts'
import { DeleteButton } from '../item/delete-button.tsx'
import { LongTextField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

type Contact = EntityOf<typeof contacts>

export function ContactDrawer({ item, onClose }: { item: Contact | undefined; onClose: () => void }) {
  const canManage = useCan('manage', 'Contacts')
  const form = useItemForm({ of: contacts, item, onSaved: onClose })
  const notify = form.field('notify')

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('contacts.add')}
      canSave={canManage}
      onClose={onClose}
      aside={canManage && item && <DeleteButton of={contacts} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} />
      <TextField field={form.field('phone')} />
      <TextField field={form.field('email')} type="email" />
      <Checkbox.Group
        label={notify.label}
        description={notify.hint}
        error={notify.error}
        value={notify.value}
        onChange={(chosen) => notify.onChange(contactNotices.filter((notice) => chosen.includes(notice)))}
      >
        <Stack gap={10} mt={8}>
          {contactNotices.map((notice) => (
            <Checkbox key={notice} value={notice} label={text(`contacts.toldOf.${notice}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <LongTextField field={form.field('note')} />
    </ItemDrawer>
  )
}
