import { ApiError } from '@portcullis/client/api-error'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import styles from './list-notice.module.css'

/** Shown instead of rows if there are none or none match, with the next step. */
export function EmptyNotice({ title, hint, action }: { title: string; hint?: string | undefined; action?: ReactNode }) {
  return (
    <div className={styles.notice}>
      <h2>{title}</h2>
      {hint && <p>{hint}</p>}
      {action}
    </div>
  )
}

/** An error while loading: why, Retry, and what to quote when asking for help. */
export function ErrorNotice({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.code === 'forbidden') {
    return <EmptyNotice title={text('gate.notOpen')} hint={text('gate.notOpenHint')} />
  }
  const requestId = error instanceof ApiError ? error.requestId : null
  return (
    <div className={styles.notice} role="alert">
      <h2>{text('error.load')}</h2>
      <p>{messageOf(error)}</p>
      {requestId && <p className={styles.reference}>{text('error.reference', { requestId })}</p>}
      <Button variant="default" onClick={onRetry}>
        {text('action.retry')}
      </Button>
    </div>
  )
}

/** The text for any thrown error. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? errorText(error) : text('error.unknown')
}
