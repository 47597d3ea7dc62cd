import { IconCrown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './settings-rows.module.css'
import { SettingsSection } from './settings-section.tsx'
import { SomeFirst } from './some-first.tsx'

/** Where one holds which role: given by others. */
export function OwnAccounts() {
  const { user, account } = useSession()
  return (
    <SettingsSection title={text('settings.accounts.title')} hint={text('settings.accounts.hint')}>
      {user.hyper && (
        <p className={styles.note}>
          <IconCrown size={16} stroke={1.8} aria-hidden="true" />
          {text('settings.accounts.hyper')}
        </p>
      )}
      {user.accounts.length === 0 && !user.hyper && <p className="soft">{text('settings.accounts.none')}</p>}
      {user.accounts.length > 0 && (
        <SomeFirst of={user.accounts} most={8}>
          {(accounts) => (
            <ul className={styles.rows}>
              {accounts.map(({ ref, name, role }) => (
                <li key={ref}>
                  <span className={styles.main}>
                    <AccountLink accountRef={ref} name={name} />
                    {ref === account.ref && <span className={styles.mark}>{text('settings.accounts.current')}</span>}
                  </span>
                  <span>{text(`users.roles.${role}`)}</span>
                </li>
              ))}
            </ul>
          )}
        </SomeFirst>
      )}
    </SettingsSection>
  )
}

function AccountLink({ accountRef, name }: { accountRef: string; name: string }) {
  const to: string = `/${accountRef}/sites`
  return (
    <Link to={to}>
      <bdi>{name}</bdi>
    </Link>
  )
}
