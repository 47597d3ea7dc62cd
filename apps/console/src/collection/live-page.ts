import { idOf, part } from './item-parts.ts'

type Page = { items: unknown[]; page: { totalElements: number } }

/** A cached page with an item that was saved put in the place of its former state; unchanged where it is not on the page. */
export function withSaved<P extends Page>(page: P, item: unknown): P {
  const id = idOf(item)
  if (!page.items.some((known) => idOf(known) === id && !isNewer(known, item))) return page
  return { ...page, items: page.items.map((known) => (idOf(known) === id ? item : known)) }
}

/** A cached page without an item that was removed. */
export function withoutRemoved<P extends Page>(page: P, id: string): P {
  if (!holds(page, id)) return page
  const totalElements = Math.max(0, page.page.totalElements - 1)
  return { ...page, items: page.items.filter((item) => idOf(item) !== id), page: { ...page.page, totalElements } }
}

export function holds(page: Page, id: string): boolean {
  return page.items.some((item) => idOf(item) === id)
}

export function isPage(value: unknown): value is Page {
  return Array.isArray(part(value, 'items')) && typeof part(part(value, 'page'), 'totalElements') === 'number'
}

/** Messages may overtake a request's own answer: an older version never replaces a newer one. */
function isNewer(known: unknown, item: unknown) {
  const [have, come] = [part(known, 'version'), part(item, 'version')]
  return typeof have === 'number' && typeof come === 'number' && have > come
}
