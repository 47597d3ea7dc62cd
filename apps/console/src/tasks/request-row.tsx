import { useId } from 'react'
import { text } from '../text/text.ts'
import { Countdown } from './countdown.tsx'
import { DeliveryTag } from './delivery-tag.tsx'
import { RequestDecision } from './request-decision.tsx'
import type { Request } from './request.ts'
import styles from './requests.module.css'

type Props = { request: Request; keep: (request: Request) => void; clear: (id: string) => void }

/** One request in the drop-down: who and where, the time left with Grant and Deny, or the decision with Clear. */
export function RequestRow({ request, keep, clear }: Props) {
  const about = useId()
  const { _id, status, userName, doorName, siteName } = request
  return (
    <li className={styles.row} aria-labelledby={about}>
      {status === 'Requested' && <Countdown request={request} />}
      <div className={styles.about} id={about}>
        <b>{userName}</b>
        <span className="second">
          {doorName} · {siteName}
        </span>
      </div>
      {status === 'Requested' ? (
        <RequestDecision request={request} about={about} keep={keep} clear={clear} />
      ) : (
        <div className={styles.decided}>
          <strong data-status={status}>{text(`remote.statuses.${status}`)}</strong>
          {request.delivery && <DeliveryTag request={request} />}
          <button type="button" className={styles.clear} aria-describedby={about} onClick={() => clear(_id)}>
            {text('remote.clear')}
          </button>
        </div>
      )}
    </li>
  )
}
