import { useElementSize } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import styles from './list-panel.module.css'
import { tableWidth } from './table-width.ts'

type Props = {
  columns: readonly { width?: string }[]
  hasSelection?: boolean
  isFetching: boolean
  /** The rows belong to the previous query. */
  isStale: boolean
  /** `minWidth`: the width in pixels that the table needs, where the panel is narrower. */
  children: (minWidth: number | undefined) => ReactNode
}

/** The frame of a table, which scrolls sideways where the columns need more room. */
export function TablePanel({ columns, hasSelection = false, isFetching, isStale, children }: Props) {
  const { ref, width } = useElementSize()
  const isNarrow = useIsNarrow()
  const neededPx = tableWidth(columns, { hasSelection })
  const isWide = !isNarrow && width > 0 && neededPx > width
  return (
    <div
      ref={ref}
      className={styles.panel}
      aria-busy={isFetching}
      data-stale={isStale ? '' : undefined}
      data-wide={isWide ? '' : undefined}
    >
      {children(isWide ? neededPx : undefined)}
    </div>
  )
}
