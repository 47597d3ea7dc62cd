import { Link, useLocation } from '@tanstack/react-router'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { currentEntry, navigationFor } from './navigation-entries.ts'
import styles from './navigation.module.css'

/** The sidebar's entries that the person's rights open. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { rules, account } = useSession()
  const { pathname } = useLocation()
  const sections = navigationFor(rules)
  const current = currentEntry(sections, pathname.slice(account.ref.length + 1))

  return (
    <nav aria-label={text('shell.navigation')} className={styles.navigation}>
      {sections.map(({ heading, entries }, index) => (
        <div key={heading ?? index} role="group" aria-label={heading && text(heading)}>
          {heading && <p className={styles.heading}>{text(heading)}</p>}
          {entries.map((entry) => {
            const to: string = `/${account.ref}${entry.path}`
            return (
              <Link
                key={entry.path}
                to={to}
                search={entry.search ?? {}}
                className={styles.entry}
                activeOptions={{ exact: true }}
                aria-current={entry === current ? 'page' : undefined}
                onClick={onNavigate}
              >
                <entry.icon size={17} stroke={1.7} aria-hidden="true" />
                {text(entry.label)}
              </Link>
            )
          })}
        </div>
      ))}
    </nav>
  )
}
