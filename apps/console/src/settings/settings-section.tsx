import { type ReactNode, useId } from 'react'
import styles from './settings-section.module.css'

/** The sections of a page of settings, one below the other. */
export function SettingsPanel({ children }: { children: ReactNode }) {
  return <div className={styles.panel}>{children}</div>
}

type Props = { title: string; hint?: string; children: ReactNode }

/** Title and description at the start, content and actions at the end. */
export function SettingsSection({ title, hint, children }: Props) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {hint && <p className={styles.hint}>{hint}</p>}
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  )
}

/** Buttons of a section, or of a form in it. */
export function SettingsActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
