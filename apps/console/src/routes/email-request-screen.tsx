import { useSuspenseQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { EmailRequestPage } from '../sign-in/email-request-page.tsx'
import { meQuery } from '../session/me-query.ts'
import { useGoOn } from './use-go-on.ts'

/** Asks whoever is signed in to confirm their e-mail, and lets them on once they have. */
export function EmailRequestScreen() {
  const { data } = useSuspenseQuery(meQuery(null))
  const goOn = useGoOn()
  const onVerified = useCallback(() => void goOn('home'), [goOn])
  return <EmailRequestPage user={data.user} onVerified={onVerified} />
}
