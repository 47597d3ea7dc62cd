import { ScrollArea, Switch } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { RequestRow } from './request-row.tsx'
import type { Request } from './request.ts'
import styles from './requests.module.css'
import { askForBrowserAlerts, chime, setAlerts, useAlerts } from './alerts.ts'

type Props = {
  list: UseQueryResult
  requests: readonly Request[]
  keep: (request: Request) => void
  clear: (id: string) => void
  onLeave: () => void
  /** Whether it appears in a sheet at the bottom of the window. */
  isSheet: boolean
}

/** The content of the drop-down: the requests, then the link to all of them and the alerts of this browser. */
export function RequestList({ list, requests, keep, clear, onLeave, isSheet }: Props) {
  const { ref } = useAccount()
  const router = useRouter()
  const href = `/${ref}/tasks/list`
  return (
    <div data-foot-sheet={isSheet || undefined}>
      <ScrollArea.Autosize mah="60vh" type="auto" viewportProps={{ tabIndex: -1 }}>
        {list.isPending && <SkeletonRows count={2} />}
        {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        {list.isSuccess && requests.length === 0 && (
          <EmptyNotice title={text('remote.none')} hint={text('remote.noneHint')} />
        )}
        <ul className={styles.rows} aria-label={text('remote.title')}>
          {requests.map((request) => (
            <RequestRow key={request._id} request={request} keep={keep} clear={clear} />
          ))}
        </ul>
      </ScrollArea.Autosize>
      <div className={styles.foot}>
        <AlertSwitches />
        <a
          href={href}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            onLeave()
            void router.navigate({ href })
          }}
        >
          {text('remote.all')}
        </a>
      </div>
    </div>
  )
}

/** Switches for the sound and the notification that announce new requests in this browser. Both are off by default. */
function AlertSwitches() {
  const { sound, browser } = useAlerts()
  const [isRefused, setRefused] = useState(false)

  async function switchBrowser(isOn: boolean) {
    const isAllowed = isOn && (await askForBrowserAlerts())
    setRefused(isOn && !isAllowed)
    setAlerts({ browser: isAllowed })
  }

  return (
    <div className={styles.switches}>
      <Switch
        size="xs"
        label={text('remote.sound')}
        checked={sound}
        onChange={(event) => {
          setAlerts({ sound: event.currentTarget.checked })
          if (event.currentTarget.checked) chime()
        }}
      />
      <Switch
        size="xs"
        label={text('remote.browser')}
        checked={browser}
        onChange={(event) => void switchBrowser(event.currentTarget.checked)}
      />
      {isRefused && (
        <p className={styles.note} role="alert">
          {text('remote.browserRefused')}
        </p>
      )}
    </div>
  )
}
