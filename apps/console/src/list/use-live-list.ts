import type { Collection, EntityOf } from '@portcullis/contract/collection'
import type { ListQuery, Sort } from '@portcullis/contract/list-query'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useAccount } from '../session/session-context.tsx'
import { idOf, part } from '../item/item-parts.ts'
import { listKey, listsKey } from '../item/keys.ts'
import { holds, isPage, withArrived } from '../item/live-page.ts'
import { matchesQuery } from './filters/matches-query.ts'
import { isInPlace } from '../item/place-in-order.ts'
import { useList } from '../item/use-list.ts'
import { useLive } from '../item/use-live.ts'

/** For how many milliseconds a row that slid in is marked as new. */
const newForMs = 12_000
const none: ReadonlySet<string> = new Set()

/** The rows of a paused list, and their changes since. */
type Held<T> = { of: string; items: readonly T[]; gone: ReadonlySet<string> }

type UseLiveListInput<C extends Collection> = {
  of: C
  query: ListQuery
  /** The query as one text that stays the same while a relative time range moves on. */
  stableKey: string
  isHeld: boolean
}

/**
 * A page of a live list: rows change in place, a new one slides in where it belongs. While it is held
 * (the user selects, or reads further down) no row moves: new rows are counted, removed ones are marked, until `release`.
 */
export function useLiveList<C extends Collection>({ of, query, stableKey, isHeld }: UseLiveListInput<C>) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const list = useList(of, query)
  const [held, setHeld] = useState<Held<EntityOf<C>>>()
  const [arrived, setArrived] = useState({ of: stableKey, ids: none })
  const [fresh, setFresh] = useState(none)
  const items: readonly EntityOf<C>[] = list.data?.items ?? noItems
  const sort = sortOf(of, query)

  useLive(of, { newcomers: 'stay', onSaved: (items) => items.forEach(receive), onRemove: removeItem })

  function receive(item: EntityOf<C>) {
    const key = listKey({ of, accountRef: ref, query })
    const page = queryClient.getQueryData(key)
    if (!isPage(page)) return
    restoreHeldRow(idOf(item))
    switch (placeOf(item, page)) {
      case 'in_place':
      case 'elsewhere':
        return
      case 'unknown':
        return refetchAll()
      case 'new':
        if (!query.page) queryClient.setQueryData(key, withArrived(page, { item, sort }))
        setArrived((current) => ({ of: stableKey, ids: new Set([...arrivedFor(current, stableKey), idOf(item)]) }))
        if (!isHeld) mark([idOf(item)])
    }
  }

  /** Where a saved item belongs: an item changed elsewhere may have moved to this page, and then only the server can place it. */
  function placeOf(item: EntityOf<C>, page: Parameters<typeof holds>[0]) {
    const belongs = matchesQuery(of, item, query)
    if (holds(page, idOf(item))) return belongs && isInPlace(page.items, { item, sort }) ? 'in_place' : 'unknown'
    if (!belongs) return 'elsewhere'
    return isNewItem(item) ? 'new' : 'unknown'
  }

  useEffect(() => {
    if (fresh.size === 0) return undefined
    const timer = setTimeout(() => setFresh(none), newForMs)
    return () => clearTimeout(timer)
  }, [fresh])

  /** An item that was removed and then restored keeps its place. */
  function restoreHeldRow(id: string) {
    setHeld((current) =>
      current?.gone.has(id) ? { ...current, gone: current.gone.difference(new Set([id])) } : current,
    )
  }

  function removeItem(id: string) {
    setHeld((current) => current && { ...current, gone: new Set([...current.gone, id]) })
    setArrived((current) => ({ ...current, ids: current.ids.difference(new Set([id])) }))
  }

  function refetchAll() {
    void queryClient.invalidateQueries({ queryKey: listsKey(of, ref) }, { cancelRefetch: false })
  }

  function mark(ids: readonly string[]) {
    if (ids.length > 0) setFresh((current) => current.union(new Set(ids)))
  }

  // Holding begins with the rows visible at that moment, and ends with everything that has arrived since.
  const here = heldFor(held, stableKey)
  const canHold = list.data !== undefined && (!list.isPlaceholderData || here !== undefined)
  const isHolding = isHeld && canHold
  if (isHolding && !here) setHeld({ of: stableKey, items, gone: none })
  if (!isHeld && held) releaseHold()
  const frozen = isHolding ? here : undefined
  const rows = frozen ? withChanges(frozen.items, items) : items

  function releaseHold() {
    setHeld(undefined)
    mark([...arrived.ids].filter((id) => items.some((item) => idOf(item) === id)))
  }

  const shownIds = new Set(rows.map(idOf))
  const waiting = [...arrivedFor(arrived, stableKey)].filter((id) => !shownIds.has(id))

  return {
    list,
    rows,
    isHeld: frozen !== undefined,
    /** How many have arrived that are not among the rows. */
    newCount: waiting.length,
    /** Whether they would be visible on this page if it were released. */
    isNewHere: waiting.some((id) => items.some((item) => idOf(item) === id)),
    isNew: useCallback((item: EntityOf<C>) => fresh.has(idOf(item)), [fresh]),
    isGone: (item: EntityOf<C>) => frozen?.gone.has(idOf(item)) ?? false,
    release() {
      releaseHold()
      setArrived({ of: stableKey, ids: none })
    },
  }
}

function heldFor<T>(held: Held<T> | undefined, stableKey: string) {
  return held?.of === stableKey ? held : undefined
}

function arrivedFor({ of, ids }: { of: string; ids: ReadonlySet<string> }, stableKey: string) {
  return of === stableKey ? ids : none
}

/** The held rows, each with its current values if it is still on the page. */
function withChanges<T>(held: readonly T[], items: readonly T[]) {
  const current = new Map(items.map((item) => [idOf(item), item]))
  return held.map((item) => current.get(idOf(item)) ?? item)
}

/** The order of a list: the requested one, by default the newest first. */
function sortOf(of: Collection, { sort }: ListQuery): Required<Sort> {
  return { prop: sort?.prop ?? of.newestBy, dir: sort?.dir ?? 'desc' }
}

/** Entries of a log are saved once; configured items are new with their first version. */
function isNewItem(item: unknown) {
  const version = part(item, 'version')
  return version === undefined || version === 1
}

/** Stable empty set. */
const noItems: readonly never[] = []
