import { Button } from '@mantine/core'
import { messageOf } from '../ui/list-notice.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import type { Request } from './request.ts'
import styles from './requests.module.css'
import { useDecision } from './use-requests.ts'
import { WithdrawRequest } from './withdraw-request.tsx'

type Props = {
  request: Request
  /** The id of the element that names the request. */
  about: string
  /** Receives the decided request. */
  keep: (request: Request) => void
  /** Receives the `_id` of the withdrawn request. */
  clear: (id: string) => void
}

/** Grant and Deny for an open request; its own user can only withdraw it. */
export function RequestDecision({ request, about, keep, clear }: Props) {
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
      {isOwn && (
        <div className={styles.own}>
          <p className={styles.note}>{text('remote.own')}</p>
          <WithdrawRequest request={request} about={about} clear={clear} />
        </div>
      )}
      {error && !isUnderWay && (
        <p className={styles.note} role="alert">
          <StateTag state="refused" /> {messageOf(error)}
        </p>
      )}
    </>
  )
}
