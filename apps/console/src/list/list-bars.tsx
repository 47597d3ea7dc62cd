import { Button, CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { text } from '../text/text.ts'
import styles from './list-bars.module.css'
import { messageOf } from '../ui/list-notice.tsx'
import { listOf } from '../text/catalogue.ts'

type FetchedList = Pick<UseQueryResult, 'data' | 'isError' | 'error' | 'fetchStatus' | 'refetch'>

/** Above the rows of a list that could not be loaded again, also while offline; otherwise nothing. */
export function StaleListBar({ list: { data, isError, error, fetchStatus, refetch } }: { list: FetchedList }) {
  if (data === undefined || !(isError || fetchStatus === 'paused')) return null
  return <StaleBar error={error} onRetry={() => void refetch()} />
}

/** A notice that the rows may be out of date, and why. */
export function StaleBar({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const why = error ? messageOf(error) : text('list.offline')
  return (
    <div role="alert" className={styles.bar} data-tone="warn">
      <IconAlertTriangle size={16} aria-hidden="true" />
      <span>{text('list.stale', { why })}</span>
      <Button variant="default" size="xs" onClick={onRetry}>
        {text('action.retry')}
      </Button>
    </div>
  )
}

/** Reports once that the address contained filters that the list does not have. */
export function DroppedBar({ names, onForget }: { names: readonly string[]; onForget: () => void }) {
  return (
    <div role="status" className={styles.bar}>
      <IconInfoCircle size={16} aria-hidden="true" />
      <span>{text('list.dropped', { names: listOf(names) })}</span>
      <CloseButton size={24} iconSize={14} aria-label={text('list.forget')} onClick={onForget} />
    </div>
  )
}
