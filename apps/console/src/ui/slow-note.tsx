import { useEffect, useState } from 'react'
import { text } from '../text/text.ts'
import styles from './slow-note.module.css'

const slowAfterMs = 4_000

/** Says after a while that an action takes long, so that it does not look stuck. */
export function SlowNote() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return isSlow && <p className={styles.note}>{text('list.slow')}</p>
}
