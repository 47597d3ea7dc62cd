import { useSuspenseQuery } from '@tanstack/react-query'
import { askAboutCookies } from '../cookies/cookie-consent.ts'
import { configurationQuery } from '../session/me-query.ts'
import { text } from '../text/text.ts'
import styles from './footer.module.css'

const policies = ['eula', 'privacy', 'terms', 'disclaimer'] as const

/** Product, version, whom to ask, and the legal pages (specification §2). */
export function Footer() {
  const { data } = useSuspenseQuery(configurationQuery)
  return (
    <footer className={styles.footer}>
      <span className={styles.version}>
        {text('shell.version', { product: text('product'), version: data.version })}
      </span>
      {data.contact && <a href={hrefOf(data.contact)}>{text('shell.contact')}</a>}
      {policies.map((policy) => (
        <a key={policy} href={`/assets/policy/${policy}`}>
          {text(`policies.${policy}`)}
        </a>
      ))}
      <button type="button" onClick={askAboutCookies}>
        {text('cookies.title')}
      </button>
    </footer>
  )
}

/** The contact of the configuration is an address to write to, or a page. */
function hrefOf(contact: string) {
  return /^[^\s:/]+@[^\s:/]+$/.test(contact) ? `mailto:${contact}` : contact
}
