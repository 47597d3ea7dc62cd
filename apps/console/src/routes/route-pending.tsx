import { Loader } from '@mantine/core'
import { text } from '../text/sign-in-text.ts'
import styles from './plain-page.module.css'

/** Stands in for a screen that takes its time to come. */
export function RoutePending() {
  return (
    <div className={styles.page} role="status" aria-label={text('loading')}>
      <Loader size="sm" />
    </div>
  )
}
