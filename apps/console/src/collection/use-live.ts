import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { z } from 'zod'
import { useLiveSocket } from '../live/live-context.tsx'
import { isRefusal } from '../session/refusals.ts'
import { useAccount } from '../session/session-context.tsx'
import { idOf } from './item-parts.ts'
import { collectionKey, itemKey, listsKey, nameKey } from './keys.ts'
import { holds, isPage, withoutRemoved, withSaved } from './live-page.ts'

type Options<C extends Collection> = {
  /** Called for every saved item, after the caches hold it: for rows that slide in. */
  onSave?: (item: EntityOf<C>) => void
  /** `stay`: an item that is on no page yet does not fetch the lists again; the screen shows it by itself. */
  newcomers?: 'fetch' | 'stay'
}

const fetchAgainMs = 1_000

/**
 * Follows a collection in the current account while the component is mounted: what is saved replaces its former state in every
 * cached list and item, what is removed leaves them, what is new makes the lists ask again (at most once a second), and after a
 * gap in the connection everything of the collection is asked again that the server did not refuse.
 */
export function useLive<C extends Collection>(of: C, options: Options<C> = {}) {
  const live = useLiveSocket()
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const onSaved = useEffectEvent((item: EntityOf<C>) => options.onSave?.(item))
  const isStaying = options.newcomers === 'stay'

  useEffect(() => {
    const again = fetchAgain(queryClient, listsKey(of, ref))
    const entitySchema: C['entitySchema'] = of.entitySchema
    const end = live.follow({
      entity: of.entity,
      accountRef: ref,
      onSave(body) {
        const item = z.safeParse(entitySchema, body)
        if (!item.success) return again.soon()
        const isKnown = putInto({ queryClient, of, accountRef: ref, item: item.data })
        // An answer that is on its way may have been read before this was saved, and would put the old state back.
        const isAsking = queryClient.isFetching({ queryKey: listsKey(of, ref) }) > 0
        if (isAsking || (!isKnown && !isStaying)) again.soon()
        onSaved(item.data)
      },
      onRemove(id) {
        queryClient.setQueriesData({ queryKey: listsKey(of, ref) }, (page: unknown) =>
          isPage(page) ? withoutRemoved(page, id) : page,
        )
        again.soon()
      },
      onGap: () =>
        void queryClient.invalidateQueries(
          { queryKey: collectionKey(of, ref), predicate: ({ state }) => !isRefusal(state.error) },
          { cancelRefetch: false },
        ),
    })
    return () => {
      end()
      again.stop()
    }
  }, [of, ref, live, queryClient, isStaying])
}

type Put = { queryClient: QueryClient; of: Collection; accountRef: string; item: unknown }

/** Answers whether some cached list held the item. */
function putInto({ queryClient, of, accountRef, item }: Put): boolean {
  const id = idOf(item)
  let isKnown = false
  queryClient.setQueriesData({ queryKey: listsKey(of, accountRef) }, (page: unknown) => {
    if (!isPage(page)) return page
    isKnown ||= holds(page, id)
    return withSaved(page, item)
  })
  const key = itemKey({ of, accountRef, id })
  if (queryClient.getQueryData(key) !== undefined) queryClient.setQueryData(key, item)
  void queryClient.invalidateQueries({ queryKey: nameKey({ of, accountRef, id }) })
  return isKnown
}

function fetchAgain(queryClient: QueryClient, queryKey: readonly unknown[]) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        void queryClient.invalidateQueries({ queryKey })
      }, fetchAgainMs)
    },
    stop() {
      clearTimeout(timer)
    },
  }
}
