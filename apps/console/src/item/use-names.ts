import type { Collection } from '@portcullis/contract/collection'
import { useQueries } from '@tanstack/react-query'
import { useAccount, useCan } from '../session/session-context.tsx'
import { labelOf } from './item-parts.ts'
import { nameKey } from './keys.ts'
import { readItem } from './read-item.ts'

/**
 * Names of items by id: `useNames(doors, ids).get(id)`. All ids requested at once, anywhere on the page,
 * are one request. `undefined` while loading, `null` for an item that is deleted or out of scope.
 */
export function useNames(of: Collection, ids: readonly string[]): ReadonlyMap<string, string | null> {
  const { ref } = useAccount()
  const isOpen = useCan('view', of.subject)
  const unique = [...new Set(ids)]
  return useQueries({
    queries: unique.map((id) => ({
      queryKey: nameKey({ of, accountRef: ref, id }),
      queryFn: () => (isOpen ? readName(of, id) : null),
      staleTime: 60_000,
      retry: false,
    })),
    combine: (results) => {
      const names = new Map<string, string | null>()
      results.forEach(({ data, isError }, index) => {
        const id = unique[index]
        if (id !== undefined && (data !== undefined || isError)) names.set(id, data ?? null)
      })
      return names
    },
  })
}

async function readName(of: Collection, id: string): Promise<string | null> {
  const item = await readItem(of, id)
  return item === undefined ? null : (labelOf(item) ?? '')
}
