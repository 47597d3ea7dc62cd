import { useSuspenseQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { rememberedUser } from '../session/remembered-user.ts'
import { meQuery } from '../session/me-query.ts'
import { useSignedInElsewhere } from '../session/use-signed-in-elsewhere.ts'
import { EmailRequestPage } from '../sign-in/email-request-page.tsx'
import { LockPage } from '../sign-in/lock-page.tsx'
import { useGoOn } from './use-go-on.ts'

/** The lock screen of the user whom this browser remembers. */
export function LockScreen() {
  const [person] = useState(rememberedUser)
  const goOn = useGoOn(person?.returnUrl ?? undefined)
  useSignedInElsewhere(() => void goOn('home', { reloadDocument: true }))
  if (!person) return <Navigate to="/authentication/login" replace />
  return <LockPage person={person} onSignedIn={goOn} />
}

/** Asks the signed-in user to confirm their email, and continues once they have. */
export function EmailRequestScreen() {
  const { data } = useSuspenseQuery(meQuery(null))
  const goOn = useGoOn()
  const onVerified = useCallback(() => void goOn('home'), [goOn])
  return <EmailRequestPage user={data.user} onVerified={onVerified} />
}
