import { Modal } from '@mantine/core'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { MfaSetUp } from './mfa-set-up.tsx'
import { MfaSignIn } from './mfa-sign-in.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { SignedIn } from '../session/sign-in.ts'

type Props = {
  /** There is an authenticator; otherwise it is set up first. */
  isEnrolled: boolean
  /** It is required, so the modal cannot be closed. */
  isForced?: boolean
  /** The sign-in is complete; a user who was already signed in has a new session. */
  onDone: (signedIn: SignedIn) => void
  /** It was closed, or cannot continue: `failure` says why. */
  onClose: (message?: string) => void
}

type Step = { is: 'set_up' } | { is: 'code'; failure?: string } | Shown
type Shown = { is: 'recovery_codes'; codes: readonly string[]; signedIn: SignedIn | undefined; failure?: string }

/** The second factor (specification §4, MFA modal): asks for a code to sign in, or sets up an authenticator. */
export function MfaModal({ isEnrolled, isForced = false, onDone, onClose }: Props) {
  const [step, setStep] = useState<Step>({ is: isEnrolled ? 'code' : 'set_up' })
  // Codes shown only once are not closed by accident.
  const isClosable = !isForced && step.is !== 'recovery_codes'

  function leaveCodes({ signedIn, failure }: Shown) {
    if (signedIn) onDone(signedIn)
    else setStep({ is: 'code', ...(failure === undefined ? {} : { failure }) })
  }

  return (
    <Modal
      opened
      onClose={() => isClosable && onClose()}
      title={titleOf(step)}
      size={step.is === 'code' ? 400 : 480}
      withCloseButton={isClosable}
      closeOnClickOutside={false}
      closeOnEscape={isClosable}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      {step.is === 'code' && <MfaSignIn failure={step.failure} onSignedIn={onDone} onEnded={onClose} />}
      {step.is === 'set_up' && (
        <MfaSetUp
          isForced={isForced}
          onEnrolled={(enrolled) => setStep({ is: 'recovery_codes', ...enrolled })}
          onEnded={onClose}
        />
      )}
      {step.is === 'recovery_codes' && <RecoveryCodes codes={step.codes} onCodesSaved={() => leaveCodes(step)} />}
    </Modal>
  )
}

function titleOf({ is }: Step) {
  switch (is) {
    case 'code':
      return text('mfa.signInTitle')
    case 'set_up':
      return text('mfa.setUpTitle')
    case 'recovery_codes':
      return text('mfa.recoveryTitle')
  }
}
