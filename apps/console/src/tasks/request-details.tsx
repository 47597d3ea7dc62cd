import { tasks } from '@portcullis/contract/collections/tasks'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { DoorTime } from '../item/door-time.tsx'
import { itemKey } from '../item/keys.ts'
import { useAccount, useCan, useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import layout from '../ui/facts.module.css'
import { Countdown } from './countdown.tsx'
import { DecisionNote } from './decision-note.tsx'
import { DeliveryTag } from './delivery-tag.tsx'
import { RequestDecision } from './request-decision.tsx'
import { RequestStatus } from './request-status.tsx'
import type { Request } from './request.ts'
import styles from './requests.module.css'
import { WithdrawRequest } from './withdraw-request.tsx'

type Props = {
  request: Request
  /** Receives the `_id` of the withdrawn request. */
  clear: (id: string) => void
  /** Whether the user writes the note. */
  isWriting: boolean
  onWriting: (isWriting: boolean) => void
}

/** One request: its decision with the note, and what happened at the door; or the decision that it waits for. */
export function RequestDetails({ request, clear, ...writing }: Props) {
  const about = useId()
  const isOpen = request.status === 'Requested'
  return (
    <article>
      <header className={styles.head}>
        {isOpen ? <Countdown request={request} /> : <RequestStatus status={request.status} />}
        <h2 id={about}>{request.userName}</h2>
      </header>
      <dl className={layout.facts}>
        <dt>{text('tasks.doorName')}</dt>
        <dd>
          {request.doorName} · {request.siteName}
        </dd>
        <dt>{text('tasks.createdAt')}</dt>
        <dd>
          <DoorTime door={request.door} at={request.createdAt} siteTime="below" />
        </dd>
        {request.decidedByName !== null && (
          <>
            <dt>{text('tasks.decidedByName')}</dt>
            <dd>
              {request.decidedByName}
              <span className="second">
                <DoorTime door={request.door} at={request.decidedAt} />
              </span>
            </dd>
          </>
        )}
        {request.delivery !== null && (
          <>
            <dt>{text('tasks.delivery')}</dt>
            <dd>
              <DeliveryTag request={request} />
            </dd>
          </>
        )}
      </dl>
      {isOpen && <OpenRequest request={request} about={about} clear={clear} />}
      {request.decidedBy !== null && <DecisionNote request={request} {...writing} />}
    </article>
  )
}

/** What the user may do about an open request. */
function OpenRequest({ request, about, clear }: Pick<Props, 'request' | 'clear'> & { about: string }) {
  const { user } = useSession()
  const { ref } = useAccount()
  const mayDecide = useCan('manage', tasks.subject)
  const queryClient = useQueryClient()
  const isOwn = request.user === user._id

  function keep(decided: Request) {
    queryClient.setQueryData(itemKey({ of: tasks, accountRef: ref, id: decided._id }), decided)
  }

  if (!mayDecide) return isOwn ? <WithdrawRequest request={request} about={about} clear={clear} /> : null
  return (
    <div className={styles.open}>
      <RequestDecision request={request} about={about} keep={keep} clear={clear} />
      {!isOwn && <WithdrawRequest request={request} about={about} clear={clear} />}
    </div>
  )
}
