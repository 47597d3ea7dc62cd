import { Link } from '@tanstack/react-router'
import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './rows.module.css'

type List = { label: string; shape?: 'list' | 'table'; children: ReactNode }

/** Items by name, each with a link; as a table where there is room, otherwise one line each. */
export function Rows({ label, shape = 'list', children }: List) {
  return (
    <ul className={styles.rows} aria-label={label} data-shape={shape}>
      {children}
    </ul>
  )
}

type Props = {
  to: string
  search?: Readonly<Record<string, string>>
  tag: ReactNode
  name: ReactNode
  second?: ReactNode
  /** Since when, or how long ago. */
  when: ReactNode
}

export function Row({ to, search, tag, name, second, when }: Props) {
  return (
    <li>
      <Link to={to} search={{ ...search }} className={styles.row}>
        <span className={styles.line}>
          <bdi>{name}</bdi>
          <span>{tag}</span>
        </span>
        <span className={styles.under}>
          <span>{second}</span>
          <span>{when}</span>
        </span>
      </Link>
    </li>
  )
}

/** Below the rows: how many more there are. */
export function MoreRows({ children }: { children: ReactNode }) {
  return <p className={styles.more}>{children}</p>
}

/** Instead of rows: there is nothing to do. */
export function AllWell({ children }: { children: string }) {
  return (
    <p className={styles.well}>
      <IconCircleCheck size={18} stroke={1.8} aria-hidden="true" />
      {children}
    </p>
  )
}
