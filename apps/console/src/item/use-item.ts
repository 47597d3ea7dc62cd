import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { itemKey } from './keys.ts'
import { reachOf } from './reach-of.ts'

/** One item by its `_id`; without an id, nothing is requested. */
export function useItem<C extends Collection>(of: C, id: string | undefined): UseQueryResult<EntityOf<C>> {
  const { ref } = useAccount()
  return useQuery({
    queryKey: itemKey({ of, accountRef: ref, id: id ?? '' }),
    queryFn: ({ signal }) => client.of(of).get(id ?? '', { signal, account: ref, ...reachOf(of) }),
    enabled: id !== undefined,
  })
}
