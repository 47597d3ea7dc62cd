import { useSuspenseQuery } from '@tanstack/react-query'
import { configurationQuery } from '../session/me-query.ts'
import { text } from '../text/text.ts'
import styles from './footer.module.css'

export function Footer() {
  const { data } = useSuspenseQuery(configurationQuery)
  return (
    <footer className={styles.footer}>
      <span>{text('shell.version', { product: text('product'), version: data.version })}</span>
      {data.contact && <a href={hrefOf(data.contact)}>{text('shell.contact')}</a>}
    </footer>
  )
}

/** The contact of the configuration is an address to write to, or a page. */
function hrefOf(contact: string) {
  return /^[^\s:/]+@[^\s:/]+$/.test(contact) ? `mailto:${contact}` : contact
}
