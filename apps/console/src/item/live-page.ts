import type { Sort } from '@portcullis/contract/list-query'
import { idOf, part } from './item-parts.ts'
import { placeInOrder } from './place-in-order.ts'

type Page = { items: unknown[]; page: { totalElements: number } }

/** A cached page in which a saved item replaces its previous state; unchanged if the item is not on the page. */
export function withSaved<P extends Page>(page: P, item: unknown): P {
  const id = idOf(item)
  if (!page.items.some((current) => idOf(current) === id && !isNewer(current, item))) return page
  return { ...page, items: page.items.map((current) => (idOf(current) === id ? item : current)) }
}

/** A cached page without an item that was removed. */
export function withoutRemoved<P extends Page>(page: P, id: string): P {
  if (!holds(page, id)) return page
  const totalElements = Math.max(0, page.page.totalElements - 1)
  return { ...page, items: page.items.filter((item) => idOf(item) !== id), page: { ...page.page, totalElements } }
}

/** The first page with a new item at its place; where that is on a later page, only the total changes. */
export function withArrived<P extends Page>(page: P, { item, sort }: { item: unknown; sort: Required<Sort> }): P {
  if (holds(page, idOf(item))) return page
  const totalElements = page.page.totalElements + 1
  const at = placeInOrder(page.items, { item, sort })
  const isOnPage = at < page.items.length || page.items.length >= page.page.totalElements
  const items = isOnPage ? [...page.items.slice(0, at), item, ...page.items.slice(at)] : page.items
  return { ...page, items, page: { ...page.page, totalElements } }
}

export function holds(page: Page, id: string): boolean {
  return page.items.some((item) => idOf(item) === id)
}

export function isPage(value: unknown): value is Page {
  return Array.isArray(part(value, 'items')) && typeof part(part(value, 'page'), 'totalElements') === 'number'
}

/** Messages may overtake a request's own answer: an older version never replaces a newer one. */
function isNewer(current: unknown, item: unknown) {
  const [shownVersion, newVersion] = [part(current, 'version'), part(item, 'version')]
  return typeof shownVersion === 'number' && typeof newVersion === 'number' && shownVersion > newVersion
}
