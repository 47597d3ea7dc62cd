import type { ReactNode } from 'react'
import { text } from '../text/sign-in-text.ts'
import { BrandMark } from '../theme/brand-mark.tsx'
import styles from './authentication-card.module.css'

/** The blank layout of the sign-in pages: the logo, a heading, and what the page asks. */
export function AuthenticationCard({
  title,
  heading,
  children,
}: {
  title: string
  heading: string
  children: ReactNode
}) {
  return (
    <div className={styles.page}>
      <title>{`${title} - ${text('product')}`}</title>
      <main className={styles.card}>
        <header className={styles.brand}>
          <BrandMark size={40} />
          <span>{text('product')}</span>
        </header>
        <h1>{heading}</h1>
        {children}
      </main>
    </div>
  )
}
