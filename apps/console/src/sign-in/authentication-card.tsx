import type { ReactNode } from 'react'
import { text } from '../text/sign-in-text.ts'
import { BrandLogo } from '../theme/brand-logo.tsx'
import styles from './authentication-card.module.css'

/** The layout of the sign-in pages: the logo, a heading, and the content. */
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
          <BrandLogo height={36} />
        </header>
        <h1>{heading}</h1>
        {children}
      </main>
    </div>
  )
}
