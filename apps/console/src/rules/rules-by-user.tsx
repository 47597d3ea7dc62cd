import type { EntityOf } from '@portcullis/contract/collection'
import { users } from '@portcullis/contract/collections/users'
import { userStatuses } from '@portcullis/domain/policy'
import { useNavigate } from '@tanstack/react-router'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { Avatar } from '../ui/avatar.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { AddAccess, OpenNowCell, RulesCell } from './access-row-cells.tsx'
import styles from './access-rows.module.css'
import { useFollowedRows } from './use-access-row.ts'

type User = EntityOf<typeof users>

const columns: Column<User>[] = [
  {
    key: 'name',
    label: text('accessRows.user'),
    sort: 'name',
    phone: 'title',
    width: '22%',
    cell: ({ name, img }) => (
      <span className={styles.person}>
        <Avatar name={name} img={img} />
        <bdi>{name}</bdi>
      </span>
    ),
  },
  {
    key: 'rules',
    label: text('accessRows.rules'),
    phone: 'plain',
    cell: ({ _id }) => <RulesCell kind="user" id={_id} />,
  },
  {
    key: 'openNow',
    label: text('accessRows.opensNow'),
    phone: 'line',
    width: '140px',
    cell: ({ _id, name }) => <OpenNowCell kind="user" id={_id} name={name} />,
  },
  { key: 'status', sort: 'status', phone: 'aside', width: '120px', cell: ({ status }) => <StateTag state={status} /> },
  {
    key: 'actions',
    label: text('accessRows.actions'),
    phone: 'plain',
    width: '130px',
    cell: ({ _id, name }) => <AddAccess kind="user" id={_id} name={name} />,
  },
]

const filters: ListFilter[] = [
  {
    name: 'status',
    label: text('users.status'),
    kind: 'choice',
    choices: choicesOf(userStatuses, (status) => text(`state.${status}`)),
  },
]

/** The users of the account, each with the rules that name them. */
export function RulesByUser() {
  const { ref } = useAccount()
  const navigate = useNavigate()
  const explorer: string = `/${ref}/rules/explorer`
  useFollowedRows()
  return (
    <CollectionTable
      of={users}
      list="users.access"
      label={text('accessRows.by.user')}
      columns={columns}
      filters={filters}
      size={20}
      sort={{ prop: 'name', dir: 'asc' }}
      onOpen={({ _id }) => void navigate({ to: explorer, search: { ask: 'user', user: _id } })}
      empty={{ title: text('accessRows.noUsers') }}
    />
  )
}
