import { VisuallyHidden } from '@mantine/core'
import { Time } from '../time/time.tsx'
import { policies } from '../session/consent.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './settings-rows.module.css'
import { SettingsSection } from './settings-section.tsx'

/** The policies that one has accepted, and when. */
export function OwnConsent() {
  const { user } = useSession()
  return (
    <SettingsSection title={text('settings.consent.title')} hint={text('settings.consent.hint')}>
      <ul className={styles.rows}>
        {policies.map((policy) => (
          <li key={policy}>
            <a className={styles.main} href={`/assets/policy/${policy}`} target="_blank" rel="noopener">
              {text(`policies.${policy}`)}
              <VisuallyHidden>{` (${text('settings.newTab')})`}</VisuallyHidden>
            </a>
            <span className={styles.aside}>
              {user.consent[policy] ? (
                <>
                  {text('settings.consent.accepted')} <Time at={user.consent[policy]} />
                </>
              ) : (
                text('settings.consent.notAccepted')
              )}
            </span>
          </li>
        ))}
      </ul>
    </SettingsSection>
  )
}
