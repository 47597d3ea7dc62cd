import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { keptPerson } from '../session/kept-person.ts'
import { LockPage } from '../session/lock-page.tsx'
import { useGoOn } from './use-go-on.ts'

/** The lock screen of whom this browser remembers. */
export function LockScreenPage() {
  const [person] = useState(keptPerson)
  const goOn = useGoOn(person?.returnUrl ?? undefined)
  if (!person) return <Navigate to="/authentication/login" replace />
  return <LockPage person={person} onSignedIn={goOn} />
}
