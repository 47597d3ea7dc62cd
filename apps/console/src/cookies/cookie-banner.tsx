import { Button } from '@mantine/core'
import { policyUrl } from '../text/language.ts'
import { text } from '../text/sign-in-text.ts'
import { answerCookies, useCookieQuestion } from './cookie-consent.ts'
import styles from './cookie-banner.module.css'

/** Asks once what this browser may store, at the foot of the page and last in its order: no answer is needed to continue. */
export function CookieBanner() {
  if (!useCookieQuestion()) return null
  return (
    <section aria-label={text('cookies.title')} className={styles.banner}>
      <p>
        {text('cookies.about')} <a href={policyUrl('privacy')}>{text('policies.privacy')}</a>
      </p>
      <div className={styles.answers}>
        <Button variant="default" onClick={() => answerCookies('essential')}>
          {text('cookies.essential')}
        </Button>
        <Button variant="default" onClick={() => answerCookies('all')}>
          {text('cookies.all')}
        </Button>
      </div>
    </section>
  )
}
