import { Skeleton } from '@mantine/core'
import { text } from '../text/text.ts'
import styles from './skeleton-rows.module.css'
import { SlowNote } from './slow-note.tsx'

/** A placeholder for rows, or for a drawer's fields, that are loading. */
export function SkeletonRows({ count = 8 }: { count?: number }) {
  return (
    <div role="status" aria-label={text('loading')} className={styles.skeletons}>
      {Array.from({ length: count }, (_, row) => (
        <div key={row}>
          <Skeleton height={14} width={`${30 - (row % 3) * 6}%`} />
          <Skeleton height={14} width="20%" />
          <Skeleton height={14} width="14%" />
        </div>
      ))}
      <SlowNote />
    </div>
  )
}
