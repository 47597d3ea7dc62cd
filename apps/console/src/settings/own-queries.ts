import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { meQuery } from '../session/me-query.ts'
import { useAccount } from '../session/session-context.tsx'

// The user's own sign-in also changes elsewhere, by a link in an email or in another browser: a user who returns to the page
// sees the current state.
const refreshed = { refetchOnWindowFocus: 'always' } as const

export const pendingEmailQuery = queryOptions({
  ...refreshed,
  queryKey: ['own', 'email'],
  queryFn: () => client.ownAccount.pendingEmail(),
})

export const ownInvitationsQuery = queryOptions({
  ...refreshed,
  queryKey: ['own', 'invitations'],
  queryFn: () => client.memberships.invitations(),
})

export const ownSessionsQuery = queryOptions({
  ...refreshed,
  queryKey: ['own', 'sessions'],
  queryFn: () => client.sessions.list(),
})

export const ownSignInsQuery = queryOptions({
  ...refreshed,
  queryKey: ['own', 'signIns'],
  queryFn: () => client.sessions.signIns(),
})

/** The signed-in user, as `meQuery` returns them. */
export function freshMeQuery(accountRef: string) {
  return { ...meQuery(accountRef), ...refreshed }
}

/** Loads the session again: the user, and the state of their second factor. */
export function useRefreshMe() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['me'] })
}

/** Stores the response of a change to the own user instead of the cached user. */
export function useStoreMe() {
  const queryClient = useQueryClient()
  const { ref } = useAccount()
  return (me: Awaited<ReturnType<typeof client.patchMe>>) => queryClient.setQueryData(meQuery(ref).queryKey, me)
}
