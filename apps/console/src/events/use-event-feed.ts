import { events } from '@portcullis/contract/collections/events'
import type { Filter } from '@portcullis/contract/list-query'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { listsKey } from '../collection/keys.ts'
import { matchesQuery } from '../collection/matches-query.ts'
import { useBatches } from '../collection/use-batches.ts'
import { useLive } from '../collection/use-live.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { shortened, withArrivals } from './feed-pages.ts'
import type { Event } from '../parts/why-telling.ts'

/** What is asked for moves along with the present: `filterAt` tells it at a moment. */
type Asked = { filterAt: (now: Date) => Filter | undefined; now: Date; isHeld: boolean }

const pageSize = 50
const newForMs = 12_000
/** More rows than anybody looks at: the list goes back to its first page when nobody reads further down. */
const mostRows = 250
const none: ReadonlySet<string> = new Set()

/**
 * The events that match, newest first: older ones page by page by cursor, new ones as they arrive, several at a time where many
 * come. While it is held (somebody reads further down) what arrives is counted and kept back, so that nothing moves under the
 * reader.
 */
export function useEventFeed({ filterAt, now, isHeld }: Asked) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const [held, setHeld] = useState(none)
  const [fresh, setFresh] = useState(none)
  const isBehind = useRef(false)
  const filter = filterAt(now)
  const queryKey = [...listsKey(events, ref), 'feed', filter] as const

  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => loadPage({ filter, after: pageParam, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (previous: InfiniteData<FeedPage, string> | undefined) => previous,
    // What is new comes by itself; asking again would move the rows under the reader.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  })

  const { add, recent } = useBatches<Event>(receive)
  useLive(events, { newcomers: 'stay', onSave: add, onGap })

  // More was missed than is told. Asked anew, the rows would move under the reader: that waits until they are back at the top.
  function onGap() {
    isBehind.current = isHeld
    return isHeld ? 'later' : 'fetch'
  }
  const catchUp = useEffectEvent(() => {
    if (isBehind.current) void queryClient.invalidateQueries({ queryKey, exact: true })
    isBehind.current = false
  })
  useEffect(() => {
    if (!isHeld) catchUp()
  }, [isHeld])

  function matches(event: Event) {
    return matchesQuery(events, event, { filter: filterAt(new Date()) ?? {} })
  }

  // An answer of the server that was on its way while an event arrived does not hold it.
  const putBack = useEffectEvent((_answeredAt: number) => put(recent().filter(matches)))
  useEffect(() => putBack(query.dataUpdatedAt), [query.dataUpdatedAt])

  function receive(arrived: readonly Event[]) {
    const matching = arrived.filter(matches)
    if (matching.length === 0) return
    put(matching)
    const ids = matching.map(({ _id }) => _id)
    if (isHeld) return setHeld((known) => new Set([...known, ...ids]))
    show(new Set(ids))
    if (rows.length > mostRows) {
      queryClient.setQueryData<InfiniteData<FeedPage, string>>(queryKey, (feed) => feed && shortened(feed, pageSize))
      void queryClient.invalidateQueries({ queryKey, exact: true })
    }
  }

  function put(arrived: readonly Event[]) {
    if (arrived.length === 0) return
    queryClient.setQueryData<InfiniteData<FeedPage, string>>(queryKey, (feed) => {
      const next = feed && withArrivals(feed, arrived)
      // Nothing new is no new answer: it would be put back again, for ever.
      return next === feed ? undefined : next
    })
  }

  function show(ids: ReadonlySet<string>) {
    setFresh((known) => known.union(ids))
    setTimeout(() => setFresh((known) => known.difference(ids)), newForMs)
  }

  // Back at the top: what was kept back is shown from now on.
  if (!isHeld && held.size > 0) {
    setFresh(held)
    setHeld(none)
  }

  const rows = query.data?.pages.flatMap(({ items }) => items) ?? []
  const first = query.data?.pages[0]?.page
  return {
    query,
    rows: held.size === 0 ? rows : rows.filter(({ _id }) => !held.has(_id)),
    heldCount: held.size,
    isNew: useCallback((id: string) => fresh.has(id), [fresh]),
    total: first && { count: first.totalElements, isExact: first.totalExact !== false },
  }
}

type FeedPage = Awaited<ReturnType<typeof loadPage>>

function loadPage({ filter, after, signal }: { filter: Filter | undefined; after: string; signal: AbortSignal }) {
  const query = { size: pageSize, ...(filter ? { filter } : {}), ...(after ? { after } : {}) }
  return client.of(events).list(query, { signal })
}
