import { Popover, ScrollArea, TextInput, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { IconCheck, IconChevronDown, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { ErrorNotice } from '../collection/list-notice.tsx'
import { hierarchyQuery } from '../session/me-query.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { flatAccounts, foundAccounts } from '../parts/account-search.ts'
import styles from './account-switcher.module.css'

/** The current account, and the others that one may see, to switch to. */
export function AccountSwitcher() {
  const [isOpen, setOpen] = useState(false)
  const account = useAccount()
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={320} trapFocus returnFocus shadow="md">
      <div className={styles.current}>
        <span>{account.name}</span>
        <Popover.Target>
          <button type="button" aria-label={text('shell.switchAccount')} onClick={() => setOpen(!isOpen)}>
            <IconChevronDown size={15} aria-hidden="true" />
          </button>
        </Popover.Target>
      </div>
      <Popover.Dropdown p={8}>
        <AccountList onChosen={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

function AccountList({ onChosen }: { onChosen: () => void }) {
  const [search, setSearch] = useState('')
  const account = useAccount()
  const hierarchy = useQuery(hierarchyQuery())
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const found = flatAccounts(foundAccounts(hierarchy.data ?? [], search))

  function switchTo(ref: string) {
    onChosen()
    // What was open, filtered or searched for belongs to the other account.
    void navigate({ href: `/${ref}${screenOf(pathname.slice(account.ref.length + 1))}` })
  }

  return (
    <>
      <TextInput
        data-autofocus
        type="search"
        aria-label={text('shell.searchAccounts')}
        placeholder={text('shell.searchAccounts')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {hierarchy.isError && <ErrorNotice error={hierarchy.error} onRetry={() => void hierarchy.refetch()} />}
      <ScrollArea.Autosize mah="70vh" mt={6} viewportProps={{ tabIndex: -1 }}>
        <ul className={styles.list}>
          {found.map(({ node, depth }) => (
            <li key={node._id}>
              <UnstyledButton
                className={styles.account}
                style={{ paddingLeft: 10 + depth * 16 }}
                data-bold={depth === 0 && node.children.length > 0 ? '' : undefined}
                aria-current={node.ref === account.ref ? 'true' : undefined}
                onClick={() => switchTo(node.ref)}
              >
                <span>{node.name}</span>
                {node.ref === account.ref && <IconCheck size={15} aria-hidden="true" />}
              </UnstyledButton>
            </li>
          ))}
        </ul>
        {hierarchy.isSuccess && found.length === 0 && <p className={styles.none}>{text('shell.noAccounts')}</p>}
      </ScrollArea.Autosize>
    </>
  )
}

/** The screen of a place; an item that is open on it is of the account that is left. */
function screenOf(place: string) {
  return /\/[0-9a-f-]{36}$/.test(place) ? place.slice(0, place.lastIndexOf('/')) : place
}
