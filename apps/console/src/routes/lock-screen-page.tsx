import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { keptPerson } from '../session/kept-person.ts'
import { LockPage } from '../sign-in/lock-page.tsx'
import { useSignedInElsewhere } from '../session/use-signed-in-elsewhere.ts'
import { useGoOn } from './use-go-on.ts'

/** The lock screen of whom this browser remembers. */
export function LockScreenPage() {
  const [person] = useState(keptPerson)
  const goOn = useGoOn(person?.returnUrl ?? undefined)
  useSignedInElsewhere(() => void goOn('home', { reloadDocument: true }))
  if (!person) return <Navigate to="/authentication/login" replace />
  return <LockPage person={person} onSignedIn={goOn} />
}
