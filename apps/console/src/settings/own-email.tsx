import { problem } from '@portcullis/contract/errors/problem'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { pendingEmail } from '@portcullis/contract/calls/own-account'
import type { z } from 'zod'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { isEmail } from '../sign-in/is-email.ts'
import { useSession } from '../session/session-context.tsx'
import { problemText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { useConfirmedAct } from './use-confirmed-act.ts'
import { fieldFailure } from './field-failure.ts'
import { pendingEmailQuery } from './own-queries.ts'
import { SettingsActions, SettingsSection } from './settings-section.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { atZone, viewerZone } from '../time/time-text.ts'
import styles from './pending-email.module.css'

/** The email, and a pending change of it. */
export function OwnEmail() {
  const { user } = useSession()
  const [isChanging, setChanging] = useState(false)
  const pending = useQuery(pendingEmailQuery)
  return (
    <SettingsSection title={text('settings.email.title')} hint={text('settings.email.hint')}>
      <p>
        <bdi>{user.email}</bdi>
      </p>
      {pending.isError && !pending.isFetching && (
        <>
          <p role="alert" className="refusal">
            {failureText(pending.error)}
          </p>
          <Button size="xs" variant="default" onClick={() => void pending.refetch()}>
            {text('action.retry')}
          </Button>
        </>
      )}
      {pending.data && <PendingEmail pending={pending.data} />}
      {pending.data === null && !isChanging && (
        <Button variant="default" onClick={() => setChanging(true)}>
          {text('settings.email.change')}
        </Button>
      )}
      {pending.data === null && isChanging && <EmailForm onClose={() => setChanging(false)} />}
    </SettingsSection>
  )
}

function EmailForm({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [isLeft, setLeft] = useState(false)
  const queryClient = useQueryClient()
  const send = useConfirmedAct({
    act: () => client.ownAccount.changeEmail({ email: email.trim() }),
    onDone() {
      void queryClient.invalidateQueries(pendingEmailQuery)
      toast({ text: text('settings.email.emailsSent') })
      onClose()
    },
  })
  const isValid = isEmail(email)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isValid && !send.isPending) send.mutate()
  }

  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        name="email"
        type="email"
        label={text('settings.email.next')}
        description={text('settings.email.changeHint')}
        autoComplete="email"
        ref={focusOn}
        value={email}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          send.reset()
        }}
        onBlur={() => setLeft(true)}
        error={
          send.error
            ? fieldFailure(send.error, 'email')
            : isLeft && email !== '' && !isValid && problemText(problem('invalid_email'))
        }
      />
      <SettingsActions>
        <Button type="submit" loading={send.isPending} disabled={!isValid}>
          {text('settings.email.send')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {text('action.cancel')}
        </Button>
      </SettingsActions>
    </form>
  )
}

function focusOn(element: HTMLElement | null) {
  element?.focus()
}

type Pending = NonNullable<z.output<typeof pendingEmail.output>>

/** A pending change of email: the confirmations so far, its end, and how to cancel it. */
function PendingEmail({ pending }: { pending: Pending }) {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const cancelChange = useMutation({
    mutationFn: () => client.ownAccount.takeBackEmail(),
    onSuccess() {
      toast({ text: text('settings.email.changeCancelled') })
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
        {cancelChange.error ? failureText(cancelChange.error) : ''}
      </p>
      <Button size="xs" variant="default" loading={cancelChange.isPending} onClick={() => cancelChange.mutate()}>
        {text('settings.email.cancelChange')}
      </Button>
    </div>
  )
}
