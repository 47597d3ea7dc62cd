import type { Collection } from '@portcullis/contract/collection'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './live-badge.module.css'
import { useLiveState } from './live-context.tsx'

/** Says whether what is shown of a collection follows the server: Live, Reconnecting. Nothing is shown to those who may not see it. */
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
