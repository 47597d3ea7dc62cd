import { isSessionEnded } from '@portcullis/client/api-error'
import type { CurrentUser } from '@portcullis/contract/calls/authentication'
import { queryOptions } from '@tanstack/react-query'
import { actingInside } from './acting-inside.ts'
import { client } from './client.ts'
import { queryClient } from './query-client.ts'

/** The signed-in user and their rights in an account; `null` stands for the user's first account. */
export function meQuery(accountRef: string | null) {
  const acting = actingInside()
  // The same user in the same account, and another answer: it says why they act inside.
  const isInside = acting !== undefined && acting.ref === accountRef
  return queryOptions({
    queryKey: ['me', accountRef, ...(isInside ? ['inside'] : [])],
    queryFn: () => (isInside ? client.me(acting.from, { inside: acting.ref }) : client.me(accountRef)),
    staleTime: 60_000,
  })
}

export function hierarchyQuery() {
  return queryOptions({ queryKey: ['hierarchy'], queryFn: () => client.hierarchy(), staleTime: 60_000 })
}

/** The user who is signed in now, as the server knows them; undefined without a session. */
export async function findUser(): Promise<CurrentUser | undefined> {
  try {
    return (await queryClient.fetchQuery({ ...meQuery(null), staleTime: 0 })).user
  } catch (error) {
    if (isSessionEnded(error)) return undefined
    throw error
  }
}
