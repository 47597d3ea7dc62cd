import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { z } from 'zod'
import { useLiveSocket } from '../live/live-context.tsx'
import { isRefusal } from '../session/refusals.ts'
import { useAccount } from '../session/session-context.tsx'
import { idOf } from './item-parts.ts'
import { collectionKey, isList, itemKey, listsKey, nameKey } from './keys.ts'
import { holds, isPage, withoutRemoved, withSaved } from './live-page.ts'

type Options<C extends Collection> = {
  /** Called for saved items, in their order, after the caches are updated: for rows that slide in. */
  onSaved?: (items: readonly EntityOf<C>[]) => void
  onRemove?: (id: string) => void
  /** `stay`: an item that is on no page yet does not fetch the lists again; the screen shows it by itself. */
  newcomers?: 'fetch' | 'stay'
  /** `always`: every change is delivered at once. Otherwise, changes wait until the last ones are shown. */
  haste?: 'always' | 'as shown'
  /** Called after a gap; returns `later` if the screen reads its lists itself. */
  onGap?: () => 'fetch' | 'later'
}

const fetchAgainMs = 1_000
/** After changes are shown, the page rests for this share of the time that it took, so that it also answers the user. */
const restShare = 0.25
/** The longest that changes wait for the screen, where it shows the last ones slowly or not at all. */
const pauseMs = 500

/**
 * Follows a collection in the current account while the component is mounted: a saved item replaces its previous state in every
 * cached list and item, a removed item disappears, and a new item makes lists reload (at most once a second). After a
 * reconnect missed changes arrive like any other; where they were too many, everything in the collection is loaded again except what
 * the server refused.
 */
export function useLive<C extends Collection>(of: C, options: Options<C> = {}) {
  const live = useLiveSocket()
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const onSaved = useEffectEvent((items: readonly EntityOf<C>[]) => options.onSaved?.(items))
  const onRemoved = useEffectEvent((id: string) => options.onRemove?.(id))
  const listsAtGap = useEffectEvent(() => options.onGap?.() ?? 'fetch')
  const isStaying = options.newcomers === 'stay'
  const isUrgent = options.haste === 'always'

  useEffect(() => {
    const again = debounceOnce(() => {
      void queryClient.invalidateQueries({ queryKey: listsKey(of, ref) })
    })
    const soon = debounceOnce(applySaved)
    const shown = afterFrame()
    let waitsUntil = 0
    const entitySchema: C['entitySchema'] = of.entitySchema
    let saved: EntityOf<C>[] = []

    function applySaved() {
      const items = saved
      if (items.length === 0) return
      saved = []
      const began = performance.now()
      if (!isUrgent) {
        waitsUntil = began + pauseMs
        shown.wait(() => {
          const shownAt = performance.now()
          waitsUntil = shownAt + restShare * (shownAt - began)
          if (saved.length === 0) return
          soon.stop()
          soon.startIn(Math.min(pauseMs, waitsUntil - performance.now()))
        })
      }
      const isShown = putInto({ queryClient, of, accountRef: ref, items })
      // A response that is on its way may have been read before this save, and would restore the old state.
      const isFetching = queryClient.isFetching({ queryKey: listsKey(of, ref) }) > 0
      if (isFetching || (!isShown && !isStaying)) again.startIn(fetchAgainMs)
      onSaved(items)
    }

    const end = live.follow({
      entity: of.entity,
      accountRef: ref,
      onSave(body) {
        const item = z.safeParse(entitySchema, body)
        if (!item.success) return again.startIn(fetchAgainMs)
        saved.push(item.data)
        soon.startIn(Math.max(0, waitsUntil - performance.now()))
      },
      onRemove(id) {
        saved = saved.filter((item) => idOf(item) !== id)
        queryClient.setQueriesData({ queryKey: listsKey(of, ref) }, (page: unknown) =>
          isPage(page) ? withoutRemoved(page, id) : page,
        )
        // Read again where it is open, which shows that it is gone.
        void queryClient.invalidateQueries({ queryKey: itemKey({ of, accountRef: ref, id }), exact: true })
        onRemoved(id)
        again.startIn(fetchAgainMs)
      },
      onGap(gap) {
        const isLeft = listsAtGap() === 'later' ? isList : () => false
        void queryClient.invalidateQueries(
          {
            queryKey: collectionKey(of, ref),
            predicate: ({ state, queryKey }) => !isRefusal(state.error) && !isLeft(queryKey),
          },
          // Queries sent after joining the room miss nothing; those sent while changes were missed may.
          { cancelRefetch: gap === 'missed' },
        )
      },
    })
    return () => {
      end()
      again.stop()
      soon.stop()
      shown.stop()
    }
  }, [of, ref, live, queryClient, isStaying, isUrgent])
}

type Put = { queryClient: QueryClient; of: Collection; accountRef: string; items: readonly unknown[] }

/** Returns whether any cached list contained each of the items. */
function putInto({ queryClient, of, accountRef, items }: Put): boolean {
  const shown = new Set<string>()
  queryClient.setQueriesData({ queryKey: listsKey(of, accountRef) }, (page: unknown) => {
    if (!isPage(page)) return page
    for (const item of items) if (holds(page, idOf(item))) shown.add(idOf(item))
    return items.reduce<typeof page>(withSaved, page)
  })
  for (const item of items) {
    const id = idOf(item)
    const key = itemKey({ of, accountRef, id })
    if (queryClient.getQueryData(key) !== undefined) queryClient.setQueryData(key, item)
    const named = nameKey({ of, accountRef, id })
    if (queryClient.getQueryState(named)) void queryClient.invalidateQueries({ queryKey: named, exact: true })
  }
  return items.every((item) => shown.has(idOf(item)))
}

/** Runs something after a delay, and once however often it is started before. */
function debounceOnce(act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    startIn(ms: number) {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, ms)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** Runs something once the page has drawn its next frame. */
function afterFrame() {
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
  return {
    wait(act: () => void) {
      stop()
      frame = requestAnimationFrame(() => {
        timer = setTimeout(act)
      })
    },
    stop,
  }
}
