import { ToastStack } from '../ui/toast-stack.tsx'
import { MfaModal } from '../mfa/mfa-modal.tsx'
import { completeSignIn, type Destination, abandonSignIn } from '../session/sign-in.ts'

type Props = {
  isEnrolled: boolean
  onSignedIn: (to: Destination) => void
  onGivenUp: (failure?: string) => void
}

/** The second factor on a sign-in page. A user who must have one cannot skip it. */
export function SignInMfa({ isEnrolled, onSignedIn, onGivenUp }: Props) {
  return (
    <>
      <MfaModal
        isEnrolled={isEnrolled}
        isForced={!isEnrolled}
        onDone={(answer) => onSignedIn(completeSignIn(answer))}
        onClose={(failure) => {
          onGivenUp(failure)
          void abandonSignIn()
        }}
      />
      <ToastStack />
    </>
  )
}
