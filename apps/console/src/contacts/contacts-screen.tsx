import { Anchor, Button } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { contacts } from '@portcullis/contract/collections/contacts'
import { type BulkAction, deleteAction } from '../list/bulk/bulk-action.ts'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import type { ListFilter } from '../list/filters/filters.ts'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ContactDrawer } from './contact-drawer.tsx'

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
        notify.map((notice) => text(`contacts.toldOf.${notice}`)).join(', ')
      ) : (
        <span className="soft">{text('contacts.notTold')}</span>
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

/** Whom to reach when something happens; a number is called and an address written to from the list. */
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

/** A telephone takes digits and a leading plus. */
function dialled(phone: string | null) {
  return phone?.replace(/[^+\d]/g, '') ?? ''
}
