import { Skeleton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { text } from '../text/text.ts'
import styles from './skeleton-rows.module.css'

const slowAfterMs = 4_000

/** Stands where rows will be. Where they take long it says so, lest one thinks that nothing happens. */
export function SkeletonRows({ count = 8 }: { count?: number }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowAfterMs)
    return () => clearTimeout(timer)
  }, [])

  return (
    <div role="status" aria-label={text('loading')} className={styles.skeletons}>
      {Array.from({ length: count }, (_, row) => (
        <div key={row}>
          <Skeleton height={14} width={`${30 - (row % 3) * 6}%`} />
          <Skeleton height={14} width="20%" />
          <Skeleton height={14} width="14%" />
        </div>
      ))}
      {isSlow && <p>{text('list.slow')}</p>}
    </div>
  )
}
