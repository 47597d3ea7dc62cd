import { Button } from '@mantine/core'
import { roles } from '@portcullis/contract/abilities'
import type { EntityOf } from '@portcullis/contract/collection'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { userStatuses } from '@portcullis/domain/policy'
import type { ReactNode } from 'react'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { NamesOf } from '../item/names-of.tsx'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { Avatar } from '../ui/avatar.tsx'
import { userTabs } from '../navigation/user-tabs.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { UserDrawer } from './user-drawer.tsx'
import styles from './users-screen.module.css'
import { useMinute } from '../time/use-minute.ts'
import { type BulkAction, deleteAction, patchAction } from '../list/bulk/bulk-action.ts'
import { ReferencePicker } from '../form/reference-picker.tsx'

type User = EntityOf<typeof users>

const columns: Column<User>[] = [
  {
    key: 'name',
    sort: 'name',
    phone: 'title',
    width: '27%',
    fields: { name: text('users.name'), email: text('users.email') },
    cell: ({ name, email, img }) => (
      <span className={styles.person}>
        <Avatar name={name} img={img} />
        <span className={styles.words}>
          <bdi>{name}</bdi>
          {email && <bdi className="second">{email}</bdi>}
        </span>
      </span>
    ),
  },
  {
    key: 'title',
    sort: 'title',
    phone: 'hidden',
    cell: ({ title }) => title ?? <span className="soft">–</span>,
  },
  {
    key: 'role',
    sort: 'role',
    phone: 'line',
    width: '150px',
    cell: ({ role }) => text(`users.roles.${role}`),
  },
  {
    key: 'groups',
    phone: 'hidden',
    cell: ({ groups }) => <NamesOf of={userGroups} ids={groups} />,
  },
  {
    key: 'status',
    sort: 'status',
    phone: 'aside',
    width: '128px',
    cell: ({ status }) => <StateTag state={status} />,
  },
  {
    key: 'validUntil',
    sort: 'validUntil',
    phone: 'line',
    width: '166px',
    cell: ({ validUntil }) => <ValidUntil at={validUntil} />,
  },
  {
    key: 'email',
    sort: 'email',
    phone: 'hidden',
    width: '220px',
    isExtra: true,
    cell: ({ email }) => email,
  },
  {
    key: 'validFrom',
    sort: 'validFrom',
    phone: 'hidden',
    width: '166px',
    isExtra: true,
    cell: ({ validFrom }) => <Time at={validFrom} />,
  },
  {
    key: 'lastRecertifiedAt',
    sort: 'lastRecertifiedAt',
    phone: 'hidden',
    width: '166px',
    isExtra: true,
    cell: ({ lastRecertifiedAt }) => <Time at={lastRecertifiedAt} />,
  },
]

const filters: ListFilter[] = [
  {
    name: 'status',
    label: text('users.status'),
    kind: 'choice',
    choices: choicesOf(userStatuses, (status) => text(`state.${status}`)),
  },
  {
    name: 'role',
    label: text('users.role'),
    kind: 'choice',
    choices: choicesOf(roles, (role) => text(`users.roles.${role}`)),
  },
  { name: 'title', label: text('users.title'), kind: 'text', isNullable: true, isSeldom: true },
  { name: 'email', label: text('users.email'), kind: 'text', isNullable: true, isSeldom: true },
  {
    name: 'validUntil',
    label: text('users.validUntil'),
    kind: 'instant',
    direction: 'future',
    isNullable: true,
    isSeldom: true,
  },
  {
    name: 'validFrom',
    label: text('users.validFrom'),
    kind: 'instant',
    direction: 'future',
    isNullable: true,
    isSeldom: true,
  },
  {
    name: 'lastRecertifiedAt',
    label: text('users.lastRecertifiedAt'),
    kind: 'instant',
    direction: 'past',
    isNullable: true,
    isSeldom: true,
  },
]

type Props = {
  /** What belongs to a user, below their form. */
  children: (user: User) => ReactNode
  /** What else is known of a user, above the form. */
  before: (user: User) => ReactNode
}

/** The users of the account. */
export function UsersScreen({ children, before }: Props) {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', 'Users')
  const add = canManage && <Button onClick={openNew}>{text('users.add')}</Button>
  return (
    <Screen title={text('users.all')} beside={<ScreenTabs label={text('users.all')} tabs={userTabs} />} actions={add}>
      <CollectionTable
        of={users}
        label={text('users.all')}
        columns={columns}
        filters={filters}
        bulk={useUserActions()}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('users.empty'), hint: text('users.emptyHint'), action: add }}
      />
      <OpenItem of={users}>
        {(drawer) => <UserDrawer {...drawer} onCreated={open} details={children} before={before} />}
      </OpenItem>
    </Screen>
  )
}

/** Until when something is valid; an expired one says so. */
function ValidUntil({ at }: { at: string | null }) {
  const now = useMinute()
  if (at === null) return <span className="soft">{text('users.noEnd')}</span>
  if (Date.parse(at) <= now.getTime()) return <StateTag state="expired" />
  return <Time at={at} />
}

/** The bulk actions on users that this user may perform. */
function useUserActions(): readonly BulkAction<User>[] {
  return useCan('manage', 'Users') ? actions : none
}

const none: readonly BulkAction<User>[] = []

const actions: readonly BulkAction<User>[] = [
  patchAction({
    of: users,
    key: 'suspend',
    label: text('bulk.suspend'),
    title: (count) => text('bulk.suspendTitle', { count }),
    hint: text('bulk.suspendHint'),
    changes: () => ({ status: 'suspended' }),
  }),
  patchAction({
    of: users,
    key: 'restore',
    label: text('bulk.restore'),
    title: (count) => text('bulk.restoreTitle', { count }),
    changes: () => ({ status: 'active' }),
  }),
  patchAction({
    of: users,
    key: 'group',
    label: text('bulk.addToGroup'),
    title: (count) => text('bulk.addToGroupTitle', { count }),
    input: ({ value, onChange }) => (
      <ReferencePicker of={userGroups} label={text('users.groups')} isRequired value={value} onChange={onChange} />
    ),
    // Sends the version: groups are written as a whole, and another user may have changed them.
    changes: ({ groups, version }, group) => ({
      groups: [...new Set([...groups, ...(group ? [group] : [])])],
      version,
    }),
  }),
  deleteAction({ of: users, title: (count) => text('bulk.delete.users', { count }) }),
]
