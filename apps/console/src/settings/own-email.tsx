import { problem } from '@portcullis/contract/errors/problem'
import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { isEmail } from '../sign-in/is-email.ts'
import { useSession } from '../session/session-context.tsx'
import { problemText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { useConfirmedAct } from './confirm-identity.tsx'
import { fieldFailure } from './field-failure.ts'
import { pendingEmailQuery } from './own-queries.ts'
import { PendingEmail } from './pending-email.tsx'
import { SettingsActions, SettingsSection } from './settings-section.tsx'

/** The e-mail, and the change of it that waits for its confirmations. */
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
      toast({ text: text('settings.email.asked') })
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
