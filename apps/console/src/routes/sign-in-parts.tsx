import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { ChangePasswordModal } from '../sign-in/change-password-modal.tsx'
import { IdleWarning } from '../idle/idle-warning.tsx'
import { MfaModal } from '../mfa/mfa-modal.tsx'
import { useSession } from '../session/session-context.tsx'

type Shown = 'code' | 'set_up' | 'password' | 'idle'

/** The modals around a session, opened by hand. */
export function SignInParts() {
  const { user } = useSession()
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  return (
    <Group gap={8}>
      <Button variant="default" onClick={() => setShown('code')}>
        Ask for a code
      </Button>
      <Button variant="default" onClick={() => setShown('set_up')}>
        Set up a second factor
      </Button>
      <Button variant="default" onClick={() => setShown('password')}>
        Change a password
      </Button>
      <Button variant="default" onClick={() => setShown('idle')}>
        Warn of the end
      </Button>
      {(shown === 'code' || shown === 'set_up') && (
        <MfaModal isEnrolled={shown === 'code'} onDone={close} onClose={close} />
      )}
      {shown === 'password' && (
        <ChangePasswordModal
          ownWords={[user.name, user.email]}
          change={() => Promise.resolve()}
          onChanged={close}
          onClose={close}
        />
      )}
      {shown === 'idle' && <IdleWarning idleTimeS={300} secondsLeft={42} onContinue={close} onLogOut={close} />}
    </Group>
  )
}
