import { ToastStack } from '../ui/toast-stack.tsx'
import { MfaModal } from '../mfa/mfa-modal.tsx'
import { completeSignIn, type Destination, giveUpSignIn } from '../session/sign-in.ts'

type Props = {
  isEnrolled: boolean
  onSignedIn: (to: Destination) => void
  onGivenUp: (told?: string) => void
}

/** The second factor on a sign-in page. Who must have one and has none can't go around it. */
export function SignInMfa({ isEnrolled, onSignedIn, onGivenUp }: Props) {
  return (
    <>
      <MfaModal
        isEnrolled={isEnrolled}
        isForced={!isEnrolled}
        onDone={(answer) => onSignedIn(completeSignIn(answer))}
        onClose={(told) => {
          onGivenUp(told)
          void giveUpSignIn()
        }}
      />
      <ToastStack />
    </>
  )
}
