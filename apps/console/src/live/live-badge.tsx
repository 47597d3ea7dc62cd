import type { Collection } from '@portcullis/contract/collection'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './live-badge.module.css'
import { useLiveState } from './live-context.tsx'

/** Whether a view of a collection follows the server: Live, Reconnecting. Hidden from users who may not see the collection. */
export function LiveBadge({ of }: { of: Collection }) {
  const state = useLiveState()
  const isOpen = useCan('view', of.subject)
  if (!isOpen) return null
  return (
    <span className={styles.badge} data-state={state} role="status">
      <i aria-hidden="true" />
      {text(`live.${state}`)}
    </span>
  )
}
