import { useSuspenseQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { rememberedUser } from '../session/remembered-user.ts'
import { meQuery } from '../session/me-query.ts'
import { useSignedInElsewhere } from '../session/use-signed-in-elsewhere.ts'
import { EmailRequestPage } from '../sign-in/email-request-page.tsx'
import { LockPage } from '../sign-in/lock-page.tsx'
import { useOpenTarget } from './use-open-target.ts'

/** The lock screen of the user that this browser remembers. */
export function LockScreen() {
  const [person] = useState(rememberedUser)
  const openTarget = useOpenTarget(person?.returnUrl ?? undefined)
  useSignedInElsewhere(() => void openTarget('home', { reloadDocument: true }))
  if (!person) return <Navigate to="/authentication/login" replace />
  return <LockPage person={person} onSignedIn={openTarget} />
}

/** Asks the signed-in user to confirm their email, and continues once they have. */
export function EmailRequestScreen() {
  const { data } = useSuspenseQuery(meQuery(null))
  const openTarget = useOpenTarget()
  const onVerified = useCallback(() => void openTarget('home'), [openTarget])
  return <EmailRequestPage user={data.user} onVerified={onVerified} />
}
