import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './access-panel.module.css'
import type { AccessView } from './access-toolbar.tsx'
import { DoorAccessList } from './door-access-list.tsx'
import { useIsOpen } from './use-is-open.ts'
import { UserAccessList } from './user-access-list.tsx'

const rows = 8

/** In the drawer of a door: who can open it. */
export function DoorAccessPanel({ door }: { door: string }) {
  return (
    <Panel title={text('explorer.doorPanel')} search={{ ask: 'door', door }}>
      {(list) => <DoorAccessList door={door} room="drawer" {...list} />}
    </Panel>
  )
}

/** In the drawer of a user: the doors that the user can open. */
export function UserAccessPanel({ user }: { user: string }) {
  return (
    <Panel title={text('explorer.userPanel')} search={{ ask: 'user', user }}>
      {(list) => <UserAccessList user={user} room="drawer" {...list} />}
    </Panel>
  )
}

type Listed = { view: AccessView; onChange: (changes: Partial<AccessView>) => void }
type Props = { title: string; search: Record<string, string>; children: (list: Listed) => ReactNode }

/** Loads only when a user opens it. */
function Panel({ title, search, children }: Props) {
  const { ref } = useAccount()
  const isOpen = useIsOpen()
  const [isShown, setShown] = useState(false)
  const [view, setView] = useState<AccessView>({ search: '', can: 'sometime', page: 0, size: rows })
  const id = useId()
  const to: string = `/${ref}/rules/explorer`
  if (!isOpen) return null
  return (
    <section className={styles.panel}>
      <header>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isShown}
          aria-controls={id}
          leftSection={isShown ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          onClick={() => setShown(!isShown)}
        >
          {title}
        </Button>
        {isShown && (
          <Link to={to} search={search}>
            {text('explorer.asPage')}
          </Link>
        )}
      </header>
      <div id={id} className={styles.list} hidden={!isShown}>
        {isShown && children({ view, onChange: (changes) => setView((current) => ({ ...current, ...changes })) })}
      </div>
    </section>
  )
}
