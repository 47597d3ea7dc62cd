import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import styles from './own-password.module.css'
import { SettingsPanel, SettingsSection } from './settings-section.tsx'

/** One's own password: changed by who knows it, reset by mail for who does not. */
export function OwnPassword() {
  const [isChanged, setChanged] = useState(false)
  return (
    <SettingsPanel>
      <SettingsSection title={text('settings.password.title')} hint={text('settings.password.hint')}>
        {isChanged ? (
          <Changed onAgain={() => setChanged(false)} />
        ) : (
          <ChangePasswordForm onChanged={() => setChanged(true)} />
        )}
      </SettingsSection>
      <Forgotten />
    </SettingsPanel>
  )
}

function Changed({ onAgain }: { onAgain: () => void }) {
  return (
    <>
      <div role="status" tabIndex={-1} ref={focusOn} className={styles.changed}>
        <IconCheck size={18} stroke={2.2} aria-hidden="true" />
        <div>
          <p className={styles.title}>{text('settings.password.changed')}</p>
          <p>{text('settings.password.changedHint')}</p>
        </div>
      </div>
      <Button variant="default" onClick={onAgain}>
        {text('settings.password.again')}
      </Button>
    </>
  )
}

function Forgotten() {
  const { email } = useSession().user
  const send = useMutation({ mutationFn: () => client.forgotPassword(email) })
  return (
    <SettingsSection
      title={text('settings.password.forgotTitle')}
      hint={text('settings.password.forgotHint', { email })}
    >
      <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
        {text('settings.password.forgot')}
      </Button>
      <p role="status">{send.isSuccess ? text('settings.password.forgotSent', { email }) : ''}</p>
      <p role="alert" className="refusal">
        {send.error ? failureText(send.error) : ''}
      </p>
    </SettingsSection>
  )
}

function focusOn(element: HTMLElement | null) {
  element?.focus()
}
