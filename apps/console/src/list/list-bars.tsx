import { Button, CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { text } from '../text/text.ts'
import styles from './list-bars.module.css'
import { messageOf } from '../ui/list-notice.tsx'

/** Above rows that could not be fetched anew: they stay, and may be old. */
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

/** The address asked for what the list does not have: said once, quietly. */
export function DroppedBar({ names, onForget }: { names: readonly string[]; onForget: () => void }) {
  return (
    <div role="status" className={styles.bar}>
      <IconInfoCircle size={16} aria-hidden="true" />
      <span>{text('list.dropped', { names: names.join(', ') })}</span>
      <CloseButton size={24} iconSize={14} aria-label={text('list.forget')} onClick={onForget} />
    </div>
  )
}
