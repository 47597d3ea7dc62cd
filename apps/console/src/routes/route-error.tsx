import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { isUnreachable } from '../session/refusals.ts'
import { text } from '../text/sign-in-text.ts'
import styles from './plain-page.module.css'

/** A whole screen that could not be loaded, with Retry. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <div className={styles.page} role="alert">
      <h1>{text('error.load')}</h1>
      <p>{isUnreachable(error) ? text('error.unreachable') : text('error.unknown')}</p>
      <Button
        onClick={() => {
          reset()
          void router.invalidate()
        }}
      >
        {text('action.retry')}
      </Button>
    </div>
  )
}
