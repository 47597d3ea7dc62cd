import { Link } from '@tanstack/react-router'
import { type SettingsTab, settingsTabs } from '../navigation/settings-tab.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './settings-nav.module.css'

/** The tabs of one's own settings, each with an address of its own. */
export function SettingsNav({ current }: { current: SettingsTab }) {
  const { ref } = useAccount()
  const to: string = `/${ref}/users/settings`
  return (
    <nav className={styles.tabs} aria-label={text('settings.title')}>
      {settingsTabs.map((tab) => (
        <Link key={tab} to={to} search={{ tab }} aria-current={tab === current ? 'page' : undefined}>
          {text(`settings.tabs.${tab}`)}
        </Link>
      ))}
    </nav>
  )
}
