import { Button, TextInput } from '@mantine/core'
import { accounts } from '@portcullis/contract/collections/accounts'
import { IconSearch } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { useLive } from '../item/use-live.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { branchOf } from '../account-tree/account-hierarchy.ts'
import { foundAccounts } from '../account-tree/account-search.ts'
import { accountTabs } from '../navigation/account-tabs.ts'
import { hierarchyQuery } from '../session/me-query.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { AccountTree } from './account-tree.tsx'
import styles from './account-tree.module.css'
import { OpenAccount } from './open-account.tsx'

/** The account and all accounts below it, as a tree. */
export function AccountTreeScreen() {
  const { open, openNew, openId } = useOpenItem()
  const [search, setSearch] = useState('')
  const { _id } = useAccount()
  const canManage = useCan('manage', 'Accounts')
  const hierarchy = useQuery(hierarchyQuery())
  const queryClient = useQueryClient()
  const reload = () => void queryClient.invalidateQueries({ queryKey: hierarchyQuery().queryKey })
  useLive(accounts, { onSaved: reload, onRemove: reload })
  const found = foundAccounts(branchOf(hierarchy.data ?? [], _id), search)

  return (
    <Screen
      title={text('accounts.title')}
      beside={<ScreenTabs label={text('accounts.title')} tabs={accountTabs} />}
      actions={canManage && <Button onClick={openNew}>{text('accounts.add')}</Button>}
    >
      <TextInput
        className={styles.toolbar}
        type="search"
        aria-label={text('accounts.search')}
        placeholder={text('accounts.search')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {hierarchy.isPending && <SkeletonRows count={8} />}
      {hierarchy.isError && <ErrorNotice error={hierarchy.error} onRetry={() => void hierarchy.refetch()} />}
      {hierarchy.isSuccess &&
        (found.length > 0 ? (
          <AccountTree label={text('accounts.title')} nodes={found} openId={openId} onOpen={open} />
        ) : (
          <EmptyNotice title={text('accounts.empty')} hint={text('accounts.emptyHint')} />
        ))}
      <OpenAccount />
    </Screen>
  )
}
