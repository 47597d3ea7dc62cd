import { Button } from '@mantine/core'
import type { pendingEmail } from '@portcullis/contract/calls/own-account'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { StateTag } from '../ui/state-tag.tsx'
import { atZone, viewerZone } from '../time/time-text.ts'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { pendingEmailQuery } from './own-queries.ts'
import styles from './pending-email.module.css'

type Pending = NonNullable<z.output<typeof pendingEmail.output>>

/** A change of e-mail that waits: who has confirmed it, until when, and the way to take it back. */
export function PendingEmail({ pending }: { pending: Pending }) {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const takeBack = useMutation({
    mutationFn: () => client.ownAccount.takeBackEmail(),
    onSuccess() {
      toast({ text: text('settings.email.takenBack') })
      return queryClient.invalidateQueries(pendingEmailQuery)
    },
  })
  const sides = [
    { email: user.email, isConfirmed: pending.oldConfirmed },
    { email: pending.email, isConfirmed: pending.newConfirmed },
  ]
  return (
    <div className={styles.pending} role="group" aria-label={text('settings.email.waiting', { email: pending.email })}>
      <p className={styles.title}>{text('settings.email.waiting', { email: pending.email })}</p>
      <ul className={styles.sides}>
        {sides.map(({ email, isConfirmed }) => (
          <li key={email}>
            <bdi>{email}</bdi>
            <StateTag state={isConfirmed ? 'confirmed' : 'waiting'}>
              {text(isConfirmed ? 'state.confirmed' : 'settings.email.notYet')}
            </StateTag>
          </li>
        ))}
      </ul>
      <p className="soft">
        {text('settings.email.expires', { time: atZone(new Date(pending.expiresAt), viewerZone) })}
      </p>
      <p role="alert" className="refusal">
        {takeBack.error ? failureText(takeBack.error) : ''}
      </p>
      <Button size="xs" variant="default" loading={takeBack.isPending} onClick={() => takeBack.mutate()}>
        {text('settings.email.takeBack')}
      </Button>
    </div>
  )
}
