import { Button } from '@mantine/core'
import { events } from '@portcullis/contract/collections/events'
import { IconArrowUp } from '@tabler/icons-react'
import { LiveBadge } from '../live/live-badge.tsx'
import badge from '../live/live-badge.module.css'
import { text } from '../text/text.ts'
import styles from './feed-badge.module.css'

/** Whether the list follows what happens; while it waits for the reader further down, how much has come since, and the way back up. */
export function FeedBadge({ heldCount, isHeld }: { heldCount: number; isHeld: boolean }) {
  if (!isHeld || heldCount === 0) return <LiveBadge of={events} />
  return (
    <>
      <span className={badge.badge} role="status">
        <i aria-hidden="true" />
        {text('events.paused', { count: heldCount })}
      </span>
      <Button
        className={styles.up}
        size="xs"
        leftSection={<IconArrowUp size={14} aria-hidden="true" />}
        onClick={() => window.scrollTo({ top: 0 })}
      >
        {text('events.showNew', { count: heldCount })}
      </Button>
    </>
  )
}
