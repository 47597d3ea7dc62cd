import { Button } from '@mantine/core'
import { heartbeatAnswerSeconds } from '@portcullis/contract/calls/units'
import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'
import styles from './request-heartbeat.module.css'

type Unit = EntityOf<typeof units>

/** Asks a connected controller for a heartbeat, and shows its answer. */
export function RequestHeartbeat({ unit }: { unit: Unit }) {
  const requesting = useMutation({ mutationFn: () => client.requestHeartbeat(unit._id) })
  const press = useSinglePress(() => requesting.mutateAsync())
  const isOnline = unit.status === 'online'
  const requestedAt = requesting.data?.requestedAt
  return (
    <div className={styles.request}>
      <Button variant="default" disabled={!isOnline} loading={requesting.isPending} onClick={press}>
        {text('units.requestHeartbeat')}
      </Button>
      <p role="status" className="soft">
        {!isOnline && text('units.heartbeatOffline')}
        {isOnline && requestedAt !== undefined && <Answer key={requestedAt} unit={unit} requestedAt={requestedAt} />}
      </p>
      {requesting.error && (
        <p role="alert" className="refusal">
          {messageOf(requesting.error)}
        </p>
      )}
    </div>
  )
}

/** Whether the controller has answered this request, and how fast. */
function Answer({ unit, requestedAt }: { unit: Unit; requestedAt: string }) {
  const [isOverdue, setOverdue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOverdue(true), heartbeatAnswerSeconds * 1_000)
    return () => clearTimeout(timer)
  }, [])
  const { heartbeatRequestedAt, heartbeatAnsweredAt } = unit
  const isKnown = heartbeatRequestedAt !== null && Date.parse(heartbeatRequestedAt) >= Date.parse(requestedAt)
  if (isKnown && heartbeatAnsweredAt !== null) {
    const ms = Date.parse(heartbeatAnsweredAt) - Date.parse(heartbeatRequestedAt)
    return text('units.heartbeatAnswered', { count: Math.max(0, Math.round(ms)) })
  }
  return text(isOverdue ? 'units.heartbeatMissing' : 'units.heartbeatWaiting', { count: heartbeatAnswerSeconds })
}
