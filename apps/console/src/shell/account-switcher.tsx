import { Popover } from '@mantine/core'
import type { AccountNode } from '@portcullis/contract/calls/authentication'
import { useQueryClient } from '@tanstack/react-query'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { ActInsideDialog } from '../accounts/act-inside-dialog.tsx'
import { hierarchyQuery } from '../session/me-query.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { AccountList } from './account-list.tsx'
import styles from './account-switcher.module.css'

/** The current account, and the visible others, to switch to. */
export function AccountSwitcher() {
  const [isOpen, setOpen] = useState(false)
  const [inside, setInside] = useState<AccountNode>()
  const account = useAccount()
  const queryClient = useQueryClient()
  /** Loads the accounts on hover, so that they are there when the button is pressed. */
  const fetchAhead = () => void queryClient.prefetchQuery(hierarchyQuery())
  return (
    <>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-start"
        width={340}
        trapFocus
        returnFocus
        shadow="md"
        transitionProps={{ duration: 0 }}
      >
        <div className={styles.current}>
          <span>{account.name}</span>
          <Popover.Target>
            <button
              type="button"
              aria-label={text('shell.switchAccount')}
              onPointerEnter={fetchAhead}
              onFocus={fetchAhead}
              onClick={() => setOpen(!isOpen)}
            >
              <IconChevronDown size={15} aria-hidden="true" />
            </button>
          </Popover.Target>
        </div>
        <Popover.Dropdown p={8} aria-label={text('shell.switchAccount')}>
          <AccountList
            onChosen={() => setOpen(false)}
            onActInside={(chosen) => {
              setOpen(false)
              setInside(chosen)
            }}
          />
        </Popover.Dropdown>
      </Popover>
      {inside && <ActInsideDialog account={inside} onClose={() => setInside(undefined)} />}
    </>
  )
}
