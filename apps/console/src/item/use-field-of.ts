import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useAccount, useCan } from '../session/session-context.tsx'
import { textPart } from './item-parts.ts'
import { fieldKey } from './keys.ts'
import { readItem } from './read-item.ts'

/** A text field of an item by its `_id`; undefined while it loads, and where the user may not see the item. */
export function useFieldOf<C extends Collection>(
  of: C,
  { id, field }: { id: string | null | undefined; field: keyof EntityOf<C> & string },
): string | undefined {
  const { ref } = useAccount()
  const isOpen = useCan('view', of.subject)
  const isEnabled = isOpen && typeof id === 'string'
  return useQuery(fieldQuery(of, { accountRef: ref, id: id ?? '', field, isEnabled })).data ?? undefined
}

/** A text field of several items, where it is set; undefined until all have arrived. */
export function useFieldsOf<C extends Collection>(
  of: C,
  { ids, field }: { ids: readonly string[]; field: keyof EntityOf<C> & string },
): string[] | undefined {
  const { ref: accountRef } = useAccount()
  const isEnabled = useCan('view', of.subject)
  return useQueries({
    queries: ids.map((id) => fieldQuery(of, { accountRef, id, field, isEnabled })),
    combine: (results) =>
      results.every(({ isFetched }) => isFetched) ? results.flatMap(({ data }) => data ?? []) : undefined,
  })
}

type FieldQuery = { accountRef: string; id: string; field: string; isEnabled: boolean }

function fieldQuery(of: Collection, { accountRef, id, field, isEnabled }: FieldQuery) {
  return {
    queryKey: fieldKey({ of, accountRef, id, field }),
    queryFn: async () => textPart(await readItem(of, id), field) ?? null,
    enabled: isEnabled,
    staleTime: 60_000,
    retry: false,
  }
}
