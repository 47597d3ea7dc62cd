import { tasks } from '@portcullis/contract/collections/tasks'
import { Button } from '@mantine/core'
import { useRemove } from '../item/use-remove.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { toast } from '../ui/toasts.ts'
import { useSinglePress } from '../ui/use-single-press.ts'
import { text } from '../text/text.ts'
import type { Request } from './request.ts'
import styles from './requests.module.css'

type Props = {
  request: Request
  /** The id of the element that names the request. */
  about: string
  /** Receives the `_id` of the withdrawn request. */
  clear: (id: string) => void
}

/** Withdraws an open request: for its own user, and for users who may decide it. */
export function WithdrawRequest({ request, about, clear }: Props) {
  const remove = useRemove(tasks)
  const press = useSinglePress(async () => {
    await remove.mutateAsync(request._id)
    toast({ text: text('remote.withdrawn') })
    clear(request._id)
  })
  return (
    <>
      <Button variant="default" size="compact-md" loading={remove.isPending} aria-describedby={about} onClick={press}>
        {text('remote.withdraw')}
      </Button>
      {remove.isError && (
        <p className={styles.note} role="alert">
          <StateTag state="refused" /> {messageOf(remove.error)}
        </p>
      )}
    </>
  )
}
