import { events } from '@portcullis/contract/collections/events'
import type { Filter } from '@portcullis/contract/list-query'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { feedKey } from '../item/keys.ts'
import { matchesQuery } from '../list/filters/matches-query.ts'
import { useLive } from '../item/use-live.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { shortened, withArrivals, withinReach, withoutEvent } from './feed-pages.ts'
import type { Event } from '../why/explanation.ts'
import { useNewRows } from './use-new-rows.ts'

/** The filter moves with the present: `filterAt` returns it for a moment. */
type UseEventFeedInput = { filterAt: (now: Date) => Filter | undefined; now: Date; isHeld: boolean }

const pageSize = 50
/** At most this many new events are kept behind the visible rows: then the list is loaded again. */
const maxEvents = 1_000
const nothing: Held = { ids: new Set(), more: 0 }

/** New events while the reader looks further down: rows that wait, and how many more are not even stored. */
type Held = { ids: ReadonlySet<string>; more: number }

/** The events of an account, newest first, as far back as requested, and what `useEventFeed` knows of them. */
export type EventFeed = ReturnType<typeof useEventFeed>

/**
 * The events of an account, newest first; a new event appears at its place by itself, also while older pages
 * come. While it is held (the user reads further down) new events are counted and kept back, so that no row moves under the
 * reader. The result stays the same object until something in it changes.
 */
export function useEventFeed({ filterAt, now, isHeld }: UseEventFeedInput) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const [held, setHeld] = useState(nothing)
  const { arrivalOf, mark } = useNewRows()
  const isBehind = useRef(false)
  const meanwhile = useRef<readonly Event[]>([])
  const filter = filterAt(now)
  const queryKey = feedKey({ of: events, accountRef: ref, filter })
  const [reach, setReach] = useState({ of: '', pages: 1 })
  const of = JSON.stringify(queryKey)
  const size = pageSize * (reach.of === of ? reach.pages : 1)

  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => loadPage({ filter, after: pageParam, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (previous: InfiniteData<FeedPage, string> | undefined) => previous,
    // New events arrive by themselves; loading again would move the rows under the reader.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    // Events never change. A comparison with the previous list by index would make every row new after each arrival.
    structuralSharing: false,
  })

  useLive(events, { newcomers: 'stay', onSaved: receive, onRemove: removeItem, onGap })

  // More events were missed than the server sends. Loading again would move the rows under the reader, so it waits
  // until they are back at the top.
  function onGap() {
    isBehind.current = isHeld
    return isHeld ? 'later' : 'fetch'
  }
  const reloadMissed = useEffectEvent(() => {
    if (isBehind.current) void queryClient.invalidateQueries({ queryKey, exact: true })
    isBehind.current = false
  })
  useEffect(() => {
    if (!isHeld) reloadMissed()
  }, [isHeld])

  // A response that was on its way while an event arrived does not contain it.
  const restoreArrived = useEffectEvent(() => {
    const arrived = matching(meanwhile.current)
    meanwhile.current = []
    // Events further down than the loaded pages are only counted.
    if (arrived.length > 0) edit((feed) => withArrivals(feed, withinReach(feed, arrived)))
  })
  useEffect(() => {
    if (!query.isFetching) restoreArrived()
  }, [query.isFetching])

  function receive(arrived: readonly Event[]) {
    const own = matching(arrived)
    if (own.length === 0) return
    if (isHeld) return hold(own)
    put(own)
    mark(own.map(({ _id }) => _id))
    const pages = queryClient.getQueryData<InfiniteData<FeedPage, string>>(queryKey)?.pages ?? []
    if (pages.reduce((count, { items }) => count + items.length, 0) > maxEvents) {
      edit((feed) => shortened(feed, pageSize))
      setReach({ of, pages: 1 })
      void queryClient.invalidateQueries({ queryKey, exact: true })
    }
  }

  function hold(arrived: readonly Event[]) {
    if (held.ids.size >= maxEvents) {
      isBehind.current = true
      return setHeld(({ ids, more }) => ({ ids, more: more + arrived.length }))
    }
    put(arrived)
    setHeld(({ ids, more }) => ({ ids: ids.union(new Set(arrived.map(({ _id }) => _id))), more }))
  }

  function removeItem(id: string) {
    meanwhile.current = meanwhile.current.filter(({ _id }) => _id !== id)
    setHeld(({ ids, more }) => ({ ids: ids.difference(new Set([id])), more }))
    edit((feed) => withoutEvent(feed, id))
  }

  function matching(arrived: readonly Event[]) {
    const filter = filterAt(new Date()) ?? {}
    return arrived.filter((event) => matchesQuery(events, event, { filter }))
  }

  function put(arrived: readonly Event[]) {
    const isFetching = queryClient.getQueryState(queryKey)?.fetchStatus === 'fetching'
    if (isFetching) meanwhile.current = [...meanwhile.current, ...arrived]
    edit((feed) => withArrivals(feed, arrived))
  }

  function edit(change: (feed: InfiniteData<FeedPage, string>) => InfiniteData<FeedPage, string>) {
    queryClient.setQueryData<InfiniteData<FeedPage, string>>(queryKey, (feed) => feed && change(feed))
  }

  // Back at the top: waiting rows are shown from now on.
  if (!isHeld && held !== nothing) {
    mark([...held.ids])
    setHeld(nothing)
  }

  const { data, error, isFetching, isFetchingNextPage, isPlaceholderData, hasNextPage, fetchNextPage, refetch } = query
  const feed = useMemo(() => feedOf(data, held), [data, held])
  const hasOlder = hasNextPage || feed.rows.length > size
  return useMemo(
    () => ({
      ...feed,
      /** As far down as requested; new events move the last ones out. */
      rows: feed.rows.slice(0, size),
      error,
      isFetching,
      isFetchingNextPage,
      isPlaceholderData,
      hasOlder,
      arrivalOf,
      retry: () => void refetch(),
      showOlder() {
        setReach({ of, pages: size / pageSize + 1 })
        if (hasNextPage && feed.rows.length < size + pageSize) void fetchNextPage()
      },
    }),
    [
      feed,
      size,
      of,
      setReach,
      hasOlder,
      arrivalOf,
      hasNextPage,
      refetch,
      fetchNextPage,
      error,
      isFetching,
      isFetchingNextPage,
      isPlaceholderData,
    ],
  )
}

function feedOf(data: InfiniteData<FeedPage> | undefined, held: Held) {
  const rows = data?.pages.flatMap(({ items }) => items) ?? []
  const first = data?.pages[0]?.page
  return {
    isLoaded: data !== undefined,
    rows: held.ids.size === 0 ? rows : rows.filter(({ _id }) => !held.ids.has(_id)),
    heldCount: held.ids.size + held.more,
    total: first && { count: first.totalElements, isExact: first.totalExact !== false },
  }
}

type FeedPage = Awaited<ReturnType<typeof loadPage>>

function loadPage({ filter, after, signal }: { filter: Filter | undefined; after: string; signal: AbortSignal }) {
  const query = { size: pageSize, ...(filter ? { filter } : {}), ...(after ? { after } : {}) }
  return client.of(events).list(query, { signal })
}
