import type { ReactNode } from 'react'
import { text } from '../text/text.ts'
import { ListSlots } from './list-slots.tsx'
import styles from './screen.module.css'

type Props = {
  title: string
  /** Above the title: the link back. */
  above?: ReactNode
  /** Beside the title: tabs, the live badge. */
  beside?: ReactNode
  /** On the right: buttons. A list on the screen puts its own before them. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen of the console: its title in the page and in the browser's tab, its buttons, its content. */
export function Screen({ title, above, beside, actions, children }: Props) {
  return (
    <ListSlots>
      {(places) => (
        <>
          <title>{`${title} - ${text('product')}`}</title>
          {above && <nav className={styles.above}>{above}</nav>}
          <header className={styles.head}>
            <h1>{title}</h1>
            {beside}
            {places.beside}
            <div className={styles.actions}>
              {places.actions}
              {actions}
            </div>
          </header>
          {children}
        </>
      )}
    </ListSlots>
  )
}
