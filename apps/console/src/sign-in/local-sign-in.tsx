import { Button } from '@mantine/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import { configurationQuery } from '../session/configuration-query.ts'
import { queryClient } from '../session/query-client.ts'
import { text } from '../text/sign-in-text.ts'
import styles from './authentication-card.module.css'

/**
 * A form of the local sign-in; a notice replaces it where the configuration names another provider. The form does not wait for
 * the configuration, and works without it.
 */
export function LocalSignIn({ children }: { children: ReactNode }) {
  const state = useSyncExternalStore(subscribe, readState)
  const provider = state?.data?.authenticationProvider ?? 'local'
  if (provider !== 'local') {
    return (
      <p className={styles.notice} role="alert">
        {text('login.cloudUnavailable')}
      </p>
    )
  }
  return (
    <>
      {children}
      {state?.status === 'error' && (
        <div className={styles.actions} role="alert">
          <p>{text('login.configurationFailed')}</p>
          <Button
            variant="default"
            loading={state.fetchStatus === 'fetching'}
            onClick={() => void queryClient.prefetchQuery(configurationQuery)}
          >
            {text('action.retry')}
          </Button>
        </div>
      )}
    </>
  )
}

// The hooks of the query library would make the sign-in page too large.
function subscribe(onChange: () => void) {
  return queryClient.getQueryCache().subscribe(onChange)
}

function readState() {
  return queryClient.getQueryState(configurationQuery.queryKey)
}
