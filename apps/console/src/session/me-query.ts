import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** Who is signed in and what they may do in an account; `null` asks for the first account. */
export function meQuery(accountRef: string | null) {
  return queryOptions({ queryKey: ['me', accountRef], queryFn: () => client.me(accountRef), staleTime: 60_000 })
}

export const configurationQuery = queryOptions({
  queryKey: ['configuration'],
  queryFn: () => client.configuration(),
  staleTime: Number.POSITIVE_INFINITY,
})

export function hierarchyQuery() {
  return queryOptions({ queryKey: ['hierarchy'], queryFn: () => client.hierarchy(), staleTime: 60_000 })
}
