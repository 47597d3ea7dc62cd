import { type ReactNode, useId } from 'react'
import { ListSlots } from '../ui/list-slots.tsx'
import styles from '../ui/screen.module.css'

type Props = { title: string; actions?: ReactNode; children: ReactNode }

/** A list as a part of a screen, under its own title. */
export function ListSection({ title, actions, children }: Props) {
  const id = useId()
  return (
    <ListSlots>
      {(places) => (
        <section aria-labelledby={id} className={styles.section}>
          <header className={styles.head}>
            <h2 id={id}>{title}</h2>
            {places.beside}
            <div className={styles.actions}>
              {places.actions}
              {actions}
            </div>
          </header>
          {children}
        </section>
      )}
    </ListSlots>
  )
}
