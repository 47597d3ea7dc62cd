import type { Collection } from '@portcullis/contract/collection'
import type { ListQuery } from '@portcullis/contract/list-query'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { listKey } from './keys.ts'
import { reachOf } from './reach-of.ts'

/** One page of a collection as the current account sees it. While another page loads, the previous one stays. */
export function useList<C extends Collection>(
  of: C,
  query: ListQuery,
  { isEnabled = true }: { isEnabled?: boolean } = {},
) {
  const { ref } = useAccount()
  return useQuery({
    queryKey: listKey({ of, accountRef: ref, query }),
    queryFn: ({ signal }) => client.of(of).list(query, { signal, ...reachOf(of) }),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })
}
