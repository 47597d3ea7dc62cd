import type { CurrentAccount, Me } from '@portcullis/contract/calls/authentication'
import { type Action, isAllowed, type Subject } from '@portcullis/contract/abilities'
import { createContext, type ReactNode, use } from 'react'

/** The signed-in user, their account and their rights. */
export type Session = Me & { account: CurrentAccount }

const SessionContext = createContext<Session | undefined>(undefined)

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession must be used inside a session.')
  return session
}

export function useAccount(): CurrentAccount {
  return useSession().account
}

/** Whether the signed-in user may do this in the current account: `useCan('manage', 'Sites')`. */
export function useCan(action: Action, subject: Subject): boolean {
  return isAllowed(useSession().rules, { action, subject })
}
