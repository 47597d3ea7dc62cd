import { Checkbox, Stack } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { contactNotices, contacts } from '@portcullis/contract/collections/contacts'
import { DeleteButton } from '../item/delete-button.tsx'
import { LongTextField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm, type ValuesOf } from '../form/use-item-form.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

type Contact = EntityOf<typeof contacts>

const labels = {
  name: text('contacts.name'),
  email: text('contacts.email'),
  phone: text('contacts.phone'),
  note: text('contacts.note'),
  notify: text('contacts.notify'),
}

export function ContactDrawer({ item, onClose }: { item: Contact | undefined; onClose: () => void }) {
  const canManage = useCan('manage', 'Contacts')
  const form = useItemForm({ of: contacts, item, valuesOf: contactValues, onSaved: onClose })
  const notify = form.field('notify')

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('contacts.add')}
      canSave={canManage}
      onClose={onClose}
      labels={labels}
      aside={canManage && item && <DeleteButton of={contacts} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} label={labels.name} />
      <TextField field={form.field('phone')} label={labels.phone} />
      <TextField field={form.field('email')} type="email" label={labels.email} />
      <Checkbox.Group
        label={labels.notify}
        description={text('contacts.notifyHint')}
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
      <LongTextField field={form.field('note')} label={labels.note} />
    </ItemDrawer>
  )
}

function contactValues(contact: Contact | undefined): ValuesOf<typeof contacts> {
  return {
    name: contact?.name ?? '',
    email: contact?.email ?? null,
    phone: contact?.phone ?? null,
    note: contact?.note ?? null,
    notify: contact?.notify ?? [],
  }
}
