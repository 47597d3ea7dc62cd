import { Button } from '@mantine/core'
import { useId } from 'react'
import { messageOf } from '../ui/list-notice.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { Countdown } from './countdown.tsx'
import { DeliveryTag } from './delivery-tag.tsx'
import type { Request } from './request.ts'
import styles from './requests.module.css'
import { useDecision } from './use-requests.ts'

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
        <Decision request={request} about={about} keep={keep} />
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

function Decision({ request, about, keep }: { request: Request; about: string; keep: (request: Request) => void }) {
  const { user } = useSession()
  const { grant, deny } = useDecision(request, keep)
  const pressGrant = useSinglePress(() => grant.mutateAsync())
  const pressDeny = useSinglePress(() => deny.mutateAsync())
  const isOwn = request.user === user._id
  const isUnderWay = grant.isPending || deny.isPending
  const error = grant.error ?? deny.error
  return (
    <>
      <div className={styles.buttons}>
        <Button
          variant="default"
          size="compact-md"
          disabled={isOwn || grant.isPending}
          loading={deny.isPending}
          aria-describedby={about}
          onClick={pressDeny}
        >
          {text('remote.deny')}
        </Button>
        <Button
          size="compact-md"
          disabled={isOwn || deny.isPending}
          loading={grant.isPending}
          aria-describedby={about}
          onClick={pressGrant}
        >
          {text('remote.grant')}
        </Button>
      </div>
      {isOwn && <p className={styles.note}>{text('remote.own')}</p>}
      {error && !isUnderWay && (
        <p className={styles.note} role="alert">
          <StateTag state="refused" /> {messageOf(error)}
        </p>
      )}
    </>
  )
}
