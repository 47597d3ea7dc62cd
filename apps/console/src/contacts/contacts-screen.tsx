import { Anchor, Button, Checkbox, Stack } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { contactNotices, contacts } from '@portcullis/contract/collections/contacts'
import { type BulkAction, deleteAction } from '../list/bulk/bulk-action.ts'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import type { ListFilter } from '../list/filters/filters.ts'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { DeleteButton } from '../item/delete-button.tsx'
import { LongTextField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { listOf } from '../text/catalogue.ts'

type Contact = EntityOf<typeof contacts>

const columns: Column<Contact>[] = [
  {
    key: 'name',
    sort: 'name',
    phone: 'title',
    width: '26%',
    cell: ({ name }) => <bdi>{name}</bdi>,
  },
  {
    key: 'phone',
    sort: 'phone',
    phone: 'plain',
    width: '18%',
    cell: ({ name, phone }) => (
      <Reach href={`tel:${dialled(phone)}`} words={phone} label={text('contacts.call', { name })} />
    ),
  },
  {
    key: 'email',
    sort: 'email',
    phone: 'plain',
    width: '26%',
    cell: ({ name, email }) => (
      <Reach href={`mailto:${email}`} words={email} label={text('contacts.write', { name })} />
    ),
  },
  {
    key: 'notify',
    fields: { notify: text('contacts.notify'), note: text('contacts.note') },
    label: text('contacts.notify'),
    phone: 'line',
    cell: ({ notify }) =>
      notify.length > 0 ? (
        listOf(notify.map((notice) => text(`contacts.notifyKinds.${notice}`)))
      ) : (
        <span className="soft">{text('contacts.notifyNone')}</span>
      ),
  },
]

const filters: ListFilter[] = [
  { name: 'phone', label: text('contacts.phone'), kind: 'text', isNullable: true, isSeldom: true },
  { name: 'email', label: text('contacts.email'), kind: 'text', isNullable: true, isSeldom: true },
]

const actions: readonly BulkAction<Contact>[] = [
  deleteAction({ of: contacts, title: (count) => text('contacts.deleteMany', { count }) }),
]

/** Whom to reach when something happens: the list has links to call and to write. */
export function ContactsScreen() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', 'Contacts')
  const add = canManage && <Button onClick={openNew}>{text('contacts.add')}</Button>
  return (
    <Screen title={text('contacts.title')} actions={add}>
      <CollectionTable
        of={contacts}
        label={text('contacts.title')}
        columns={columns}
        filters={filters}
        bulk={canManage ? actions : []}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('contacts.empty'), hint: text('contacts.emptyHint'), action: add }}
      />
      <OpenItem of={contacts}>{(drawer) => <ContactDrawer {...drawer} />}</OpenItem>
    </Screen>
  )
}

function Reach({ href, words, label }: { href: string; words: string | null; label: string }) {
  if (words === null) return <span className="soft">–</span>
  return (
    <Anchor href={href} aria-label={`${words}, ${label}`}>
      {words}
    </Anchor>
  )
}

/** A phone number takes digits and a leading plus. */
function dialled(phone: string | null) {
  return phone?.replace(/[^+\d]/g, '') ?? ''
}

function ContactDrawer({ item, onClose }: { item: Contact | undefined; onClose: () => void }) {
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
            <Checkbox key={notice} value={notice} label={text(`contacts.notifyKinds.${notice}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <LongTextField field={form.field('note')} />
    </ItemDrawer>
  )
}
