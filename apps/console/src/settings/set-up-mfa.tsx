import { Button } from '@mantine/core'
import { useState } from 'react'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { MfaModal } from '../mfa/mfa-modal.tsx'
import { useConfirmedAct } from './confirm-identity.tsx'
import { useRefreshMe } from './own-queries.ts'

/** Sets an authenticator up, in the place of one that is there. */
export function SetUpMfa({ label, look }: { label: string; look: 'filled' | 'default' }) {
  const [isOpen, setOpen] = useState(false)
  const refreshMe = useRefreshMe()
  // The modal asks for a key of its own. This one is asked for because that needs a fresh sign-in, which the modal knows nothing of.
  const begin = useConfirmedAct({ act: () => client.mfa.setUp(), onDone: () => setOpen(true) })

  function close() {
    setOpen(false)
    void refreshMe()
  }

  return (
    <>
      <Button variant={look} loading={begin.isPending} onClick={() => begin.mutate()}>
        {label}
      </Button>
      <p role="alert" className="refusal">
        {begin.error ? failureText(begin.error) : ''}
      </p>
      {isOpen && <MfaModal isEnrolled={false} onDone={close} onClose={close} />}
    </>
  )
}
