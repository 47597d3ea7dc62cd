import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { StaleBar } from '../list/list-bars.tsx'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { text } from '../text/text.ts'
import styles from './tile.module.css'

type Props<T> = {
  title: string
  /** To the right of the title: the link to the whole list. */
  aside?: ReactNode
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
}

/** One part of the dashboard, which loads, fails and retries by itself. */
export function Tile<T>({ title, aside, query, children }: Props<T>) {
  const id = useId()
  const { data, error, refetch } = query
  const retry = () => void refetch()
  return (
    <section className={styles.tile} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {data === undefined && error === null && <Waiting />}
      {data === undefined && error && <ErrorNotice error={error} onRetry={retry} />}
      {data !== undefined && error && <StaleBar error={error} onRetry={retry} />}
      {data !== undefined && children(data)}
    </section>
  )
}

function Waiting() {
  return (
    <div className={styles.waiting} role="status" aria-label={text('loading')}>
      <Skeleton height={44} />
      <Skeleton height={14} width="70%" />
      <Skeleton height={14} width="45%" />
    </div>
  )
}
