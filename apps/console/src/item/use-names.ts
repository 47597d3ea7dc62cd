import type { Collection } from '@portcullis/contract/collection'
import { useQueries } from '@tanstack/react-query'
import { currentAccountRef } from '../session/account-ref.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { idOf, labelOf } from './item-parts.ts'
import { nameKey } from './keys.ts'
import { batchById } from './name-batch.ts'

const mostIds = 100

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
      queryFn: async () => (isOpen ? ((await readName(of, id)) ?? null) : null),
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

const batches = new Map<string, (id: string) => Promise<string | undefined>>()

function readName(of: Collection, id: string) {
  const key = `${currentAccountRef()} ${of.name}`
  const ask = batches.get(key) ?? batchById((ids) => loadNames(of, ids), { mostIds })
  batches.set(key, ask)
  return ask(id)
}

async function loadNames(of: Collection, ids: string[]) {
  const { items } = await client.of(of).list({ filter: { _id: { in: ids } }, size: mostIds }, { allAccounts: 'yes' })
  return new Map(items.map((item) => [idOf(item), labelOf(item) ?? '']))
}
