import { Button } from '@mantine/core'
import type { Collection } from '@portcullis/contract/collection'
import { IconArrowUp } from '@tabler/icons-react'
import { LiveBadge } from '../live/live-badge.tsx'
import badge from '../live/live-badge.module.css'
import { useLiveState } from '../live/live-context.tsx'
import { text } from '../text/text.ts'
import styles from './list-badge.module.css'
import { useIsScrolled } from '../ui/use-is-scrolled.ts'

type Props = {
  of: Collection
  /** Whether the list is paused while the user reads. */
  isHeld: boolean
  newCount: number
  onShow: () => void
}

/** Whether a list is live: Live, Reconnecting, or Paused with the number of new rows and a button to show them. */
export function ListBadge({ of, isHeld, newCount, onShow }: Props) {
  const state = useLiveState()
  const isScrolled = useIsScrolled()
  const isPaused = isHeld && state === 'live'
  return (
    <>
      {isPaused ? (
        <span className={badge.badge} role="status">
          <i aria-hidden="true" />
          {newCount > 0 ? text('list.pausedNew', { count: newCount }) : text('list.paused')}
        </span>
      ) : (
        <LiveBadge of={of} />
      )}
      {newCount > 0 && (
        <Button
          className={styles.show}
          data-floating={isScrolled ? '' : undefined}
          size="xs"
          leftSection={<IconArrowUp size={14} aria-hidden="true" />}
          onClick={onShow}
        >
          {text('list.newRows', { count: newCount })}
        </Button>
      )}
    </>
  )
}
