import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { useQuery } from '@tanstack/react-query'
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
  const { data } = useQuery({
    queryKey: fieldKey({ of, accountRef: ref, id: id ?? '', field }),
    queryFn: async () => textPart(await readItem(of, id ?? ''), field) ?? null,
    enabled: isOpen && typeof id === 'string',
    staleTime: 60_000,
    retry: false,
  })
  return data ?? undefined
}
