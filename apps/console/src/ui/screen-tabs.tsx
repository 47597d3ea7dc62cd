import { isAllowed, type Subject } from '@portcullis/contract/abilities'
import { Link, useLocation } from '@tanstack/react-router'
import { useAccount, useSession } from '../session/session-context.tsx'
import styles from './screen-tabs.module.css'

export type ScreenTab = {
  label: string
  /** Path inside the account: `/sites/groups`. */
  path: string
  /** Other paths that show the same screen. */
  also?: readonly string[]
  /** The subject that a user must be allowed to view to see the tab. */
  needs?: Subject
}

/** Related screens, as tabs beside the title: each is a page of its own. */
export function ScreenTabs({ label, tabs }: { label: string; tabs: readonly ScreenTab[] }) {
  const { ref } = useAccount()
  const { rules } = useSession()
  const { pathname } = useLocation()
  const offered = tabs.filter(({ needs }) => !needs || isAllowed(rules, { action: 'view', subject: needs }))
  return (
    <nav className={styles.tabs} aria-label={label}>
      {offered.map(({ label: name, path, also = [] }) => {
        const isOn = [path, ...also].some((each) => pathname === `/${ref}${each}`)
        const to: string = `/${ref}${path}`
        return (
          <Link key={path} to={to} activeOptions={{ exact: true }} aria-current={isOn ? 'page' : undefined}>
            {name}
          </Link>
        )
      })}
    </nav>
  )
}
