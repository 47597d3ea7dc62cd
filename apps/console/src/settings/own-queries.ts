import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { meQuery } from '../session/me-query.ts'
import { useAccount } from '../session/session-context.tsx'

// What concerns one's own sign-in changes elsewhere, too, by a link of a mail or another browser: whoever comes back to the page
// sees it as it is then.
const asked = { refetchOnWindowFocus: 'always' } as const

export const pendingEmailQuery = queryOptions({
  ...asked,
  queryKey: ['own', 'email'],
  queryFn: () => client.ownAccount.pendingEmail(),
})

export const ownSessionsQuery = queryOptions({
  ...asked,
  queryKey: ['own', 'sessions'],
  queryFn: () => client.sessions.list(),
})

export const ownSignInsQuery = queryOptions({
  ...asked,
  queryKey: ['own', 'signIns'],
  queryFn: () => client.sessions.signIns(),
})

/** Who is signed in, as `meQuery` has it. */
export function freshMeQuery(accountRef: string) {
  return { ...meQuery(accountRef), ...asked }
}

/** Has the session told anew: who one is, and how it stands with the second factor. */
export function useRefreshMe() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['me'] })
}

/** Puts the answer of a change to oneself in the place of what was known. */
export function useTakeMe() {
  const queryClient = useQueryClient()
  const { ref } = useAccount()
  return (me: Awaited<ReturnType<typeof client.patchMe>>) => queryClient.setQueryData(meQuery(ref).queryKey, me)
}
