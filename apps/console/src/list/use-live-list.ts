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

/** How long a row that slid in is marked as new. */
const newForMs = 12_000
const none: ReadonlySet<string> = new Set()

/** What a reader has before them while the list stands still, and what has happened to it since. */
type Held<T> = { of: string; items: readonly T[]; gone: ReadonlySet<string> }

type Asked<C extends Collection> = {
  of: C
  query: ListQuery
  /** What the person asked for, in one word: the query moves along with the present, and this does not. */
  asked: string
  isHeld: boolean
}

/**
 * A page of a list that follows what happens: rows change where they stand, a new one slides in where it belongs. While it is held
 * (somebody selects, or reads further down) no row moves: what is new is counted, what was removed is marked, until `release`.
 */
export function useLiveList<C extends Collection>({ of, query, asked, isHeld }: Asked<C>) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const list = useList(of, query)
  const [held, setHeld] = useState<Held<EntityOf<C>>>()
  const [arrived, setArrived] = useState({ of: asked, ids: none })
  const [fresh, setFresh] = useState(none)
  const items: readonly EntityOf<C>[] = list.data?.items ?? noItems
  const sort = sortOf(of, query)

  useLive(of, { newcomers: 'stay', onSaved: (items) => items.forEach(receive), onRemove: takeOut })

  function receive(item: EntityOf<C>) {
    const key = listKey({ of, accountRef: ref, query })
    const page = queryClient.getQueryData(key)
    if (!isPage(page)) return
    bringBack(idOf(item))
    switch (placeOf(item, page)) {
      case 'in_place':
      case 'elsewhere':
        return
      case 'unknown':
        return askAgain()
      case 'new':
        if (!query.page) queryClient.setQueryData(key, withArrived(page, { item, sort }))
        setArrived((known) => ({ of: asked, ids: new Set([...arrivedFor(known, asked), idOf(item)]) }))
        if (!isHeld) mark([idOf(item)])
    }
  }

  /** Where a saved item belongs: what was changed elsewhere may have moved here, and then only the server can place it. */
  function placeOf(item: EntityOf<C>, page: Parameters<typeof holds>[0]) {
    const belongs = matchesQuery(of, item, query)
    if (holds(page, idOf(item))) return belongs && isInPlace(page.items, { item, sort }) ? 'in_place' : 'unknown'
    if (!belongs) return 'elsewhere'
    return isNewcomer(item) ? 'new' : 'unknown'
  }

  useEffect(() => {
    if (fresh.size === 0) return undefined
    const timer = setTimeout(() => setFresh(none), newForMs)
    return () => clearTimeout(timer)
  }, [fresh])

  /** What was removed and then restored stands there as before. */
  function bringBack(id: string) {
    setHeld((known) => (known?.gone.has(id) ? { ...known, gone: known.gone.difference(new Set([id])) } : known))
  }

  function takeOut(id: string) {
    setHeld((known) => known && { ...known, gone: new Set([...known.gone, id]) })
    setArrived((known) => ({ ...known, ids: known.ids.difference(new Set([id])) }))
  }

  function askAgain() {
    void queryClient.invalidateQueries({ queryKey: listsKey(of, ref) }, { cancelRefetch: false })
  }

  function mark(ids: readonly string[]) {
    if (ids.length > 0) setFresh((known) => known.union(new Set(ids)))
  }

  // The list begins to be held with what is shown at that moment, and ends with everything that has come since.
  const here = heldFor(held, asked)
  const canHold = list.data !== undefined && (!list.isPlaceholderData || here !== undefined)
  const isHolding = isHeld && canHold
  if (isHolding && !here) setHeld({ of: asked, items, gone: none })
  if (!isHeld && held) letGo()
  const frozen = isHolding ? here : undefined
  const rows = frozen ? withChanges(frozen.items, items) : items

  function letGo() {
    setHeld(undefined)
    mark([...arrived.ids].filter((id) => items.some((item) => idOf(item) === id)))
  }

  const shownIds = new Set(rows.map(idOf))
  const waiting = [...arrivedFor(arrived, asked)].filter((id) => !shownIds.has(id))

  return {
    list,
    rows,
    isHeld: frozen !== undefined,
    /** How many have come that are not among the rows. */
    newCount: waiting.length,
    /** Whether they would come into sight on this page, if it were let go. */
    isNewHere: waiting.some((id) => items.some((item) => idOf(item) === id)),
    isNew: useCallback((item: EntityOf<C>) => fresh.has(idOf(item)), [fresh]),
    isGone: (item: EntityOf<C>) => frozen?.gone.has(idOf(item)) ?? false,
    release() {
      letGo()
      setArrived({ of: asked, ids: none })
    },
  }
}

function heldFor<T>(held: Held<T> | undefined, asked: string) {
  return held?.of === asked ? held : undefined
}

function arrivedFor({ of, ids }: { of: string; ids: ReadonlySet<string> }, asked: string) {
  return of === asked ? ids : none
}

/** The rows that are held, each as it is now if it is still on the page. */
function withChanges<T>(held: readonly T[], items: readonly T[]) {
  const current = new Map(items.map((item) => [idOf(item), item]))
  return held.map((item) => current.get(idOf(item)) ?? item)
}

/** What a list is sorted by: what was asked for or, where nothing was, the newest first. */
function sortOf(of: Collection, { sort }: ListQuery): Required<Sort> {
  return { prop: sort?.prop ?? of.newestBy, dir: sort?.dir ?? 'desc' }
}

/** Entries of a log come once; configured things come into being with their first version. */
function isNewcomer(item: unknown) {
  const version = part(item, 'version')
  return version === undefined || version === 1
}

/** The same nothing every time. */
const noItems: readonly never[] = []
