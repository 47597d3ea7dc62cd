import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { logOut } from '../session/log-out.ts'
import { useSession } from '../session/session-context.tsx'
import { useSections } from '../navigation/use-sections.ts'
import { text } from '../text/text.ts'
import styles from './plain-page.module.css'

const maxAccounts = 8

/** The page for users without permission, with every way on that they have. */
export function NotOpenPage() {
  const { user, account } = useSession()
  const entries = useSections().flatMap(({ heading, entries: own }) => own.map((entry) => ({ heading, ...entry })))
  const inside = (path: string): string => `/${account.ref}${path}`
  const otherAccounts = user.accounts.filter(({ ref }) => ref !== account.ref).slice(0, maxAccounts)
  return (
    <div className={styles.page}>
      <title>{`${text('gate.title')} - ${text('product')}`}</title>
      <h1>{text(entries.length > 0 ? 'gate.eventsNotOpen' : 'gate.heading')}</h1>
      <p>{text(entries.length > 0 ? 'gate.notOpenHint' : 'gate.hint', { account: account.name })}</p>
      <nav aria-label={text('gate.open')} className={styles.ways}>
        {entries.map(({ heading, label, path, search }) => (
          <Link key={path} to={inside(path)} search={search ?? {}}>
            {heading ? text('palette.within', { place: text(heading), name: text(label) }) : text(label)}
          </Link>
        ))}
        <Link to={inside('/users/settings')}>{text('gate.settings')}</Link>
      </nav>
      {otherAccounts.length > 0 && (
        <nav aria-label={text('gate.otherAccounts')} className={styles.ways}>
          <h2>{text('gate.otherAccounts')}</h2>
          {otherAccounts.map(({ ref, name }) => (
            <Link key={ref} to="/$account/sites" params={{ account: ref }}>
              {name}
            </Link>
          ))}
        </nav>
      )}
      <Button variant="default" onClick={() => void logOut()}>
        {text('shell.logOut')}
      </Button>
    </div>
  )
}
