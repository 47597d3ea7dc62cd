import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { idOf } from '../item/item-parts.ts'
import { useList } from '../item/use-list.ts'
import { useCan } from '../session/session-context.tsx'

const maxItems = 500

type Whole<C extends Collection> = {
  byId: ReadonlyMap<string, EntityOf<C>>
  /** Whether these are all items of the account, so that a missing item does not exist. */
  isWhole: boolean
  /** Whether the items that the user may see are still to come. */
  isLoading: boolean
}

/** The items of a collection by id, up to a limit; none where the user may not see them. Repeated on a page, it is one request. */
export function useWhole<C extends Collection>(of: C): Whole<C> {
  const maySee = useCan('view', of.subject)
  const { data, isPlaceholderData, isPending } = useList(
    of,
    { size: maxItems, sort: { prop: '_id', dir: 'asc' } },
    { isEnabled: maySee },
  )
  const byId = new Map<string, EntityOf<C>>()
  for (const item of data?.items ?? []) byId.set(idOf(item), item)
  const isWhole = data !== undefined && !isPlaceholderData && data.page.totalElements <= data.items.length
  return { byId, isWhole, isLoading: maySee && isPending }
}
