import { Button } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { accounts, accountStatuses } from '@portcullis/contract/collections/accounts'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { zoneInWords } from '../time/time-text.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { accountTabs } from '../navigation/account-tabs.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { OpenAccount } from './open-account.tsx'
import { ParentName } from './parent-name.tsx'

type Account = EntityOf<typeof accounts>

const columns: Column<Account>[] = [
  { key: 'name', sort: 'name', phone: 'title', cell: ({ name }) => <bdi>{name}</bdi> },
  { key: 'ref', sort: 'ref', phone: 'plain', width: '16%', cell: ({ ref }) => ref },
  {
    key: 'parent',
    phone: 'line',
    width: '18%',
    cell: ({ parent }) => <ParentName id={parent} />,
  },
  {
    key: 'status',
    sort: 'status',
    phone: 'aside',
    width: '130px',
    cell: ({ status }) => <StateTag state={status}>{text(`accounts.statuses.${status}`)}</StateTag>,
  },
  {
    key: 'defaultTimeZone',
    sort: 'defaultTimeZone',
    phone: 'hidden',
    cell: ({ defaultTimeZone }) => zoneInWords(defaultTimeZone),
  },
  {
    key: 'enforceMfa',
    label: text('accounts.mfa'),
    phone: 'hidden',
    width: '140px',
    cell: ({ enforceMfa }) =>
      enforceMfa ? text('accounts.mfaOn') : <span className="soft">{text('accounts.mfaOff')}</span>,
  },
  {
    key: 'recertifyEveryDays',
    phone: 'hidden',
    isExtra: true,
    cell: ({ recertifyEveryDays: days }) => days && text('accounts.recertifyDays', { count: days }),
  },
]

const filters: ListFilter[] = [
  {
    name: 'status',
    label: text('accounts.status'),
    kind: 'choice',
    choices: choicesOf(accountStatuses, (status) => text(`accounts.statuses.${status}`)),
  },
  { name: 'defaultTimeZone', label: text('accounts.defaultTimeZone'), kind: 'text', isSeldom: true },
]

/** The account and all accounts below it, as a list. */
export function AccountsScreen() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', 'Accounts')
  const add = canManage && <Button onClick={openNew}>{text('accounts.add')}</Button>
  return (
    <Screen
      title={text('accounts.title')}
      beside={<ScreenTabs label={text('accounts.title')} tabs={accountTabs} />}
      actions={add}
    >
      <CollectionTable
        of={accounts}
        label={text('accounts.title')}
        columns={columns}
        filters={filters}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('accounts.empty'), hint: text('accounts.emptyHint'), action: add }}
      />
      <OpenAccount />
    </Screen>
  )
}
