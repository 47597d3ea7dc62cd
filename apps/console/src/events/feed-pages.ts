import type { Event } from '../parts/why-telling.ts'

type Page = { items: Event[]; page: { totalElements: number }; next: string | null }
export type FeedPages = { pages: Page[]; pageParams: unknown[] }

/**
 * The loaded pages with an event that just arrived at its place by time: a late one goes between those that are there, one that
 * is older than all of them waits on a page that was not fetched. Events that are there stay as they are.
 */
export function withArrival<P extends FeedPages>(feed: P, event: Event): P {
  if (feed.pages.some(({ items }) => items.some(({ _id }) => _id === event._id))) return feed
  const place = feed.pages.findIndex(({ items, next }) => next === null || isBefore(event, items.at(-1)))
  const pages = feed.pages.map((page, index) => {
    const items = index === place ? inserted(page.items, event) : page.items
    const totalElements = page.page.totalElements + 1
    return { ...page, items, page: { ...page.page, totalElements } }
  })
  return { ...feed, pages }
}

/** The same for several, in any order. */
export function withArrivals<P extends FeedPages>(feed: P, arrived: readonly Event[]): P {
  return arrived.reduce<P>(withArrival, feed)
}

/** Only the newest rows, as the one page that is asked for again. */
export function shortened<P extends FeedPages>(feed: P, size: number): P {
  const [first] = feed.pages
  if (!first) return feed
  return { ...feed, pages: [{ ...first, items: first.items.slice(0, size) }], pageParams: feed.pageParams.slice(0, 1) }
}

function inserted(items: Event[], event: Event): Event[] {
  const index = items.findIndex((item) => isBefore(event, item))
  const at = index === -1 ? items.length : index
  return [...items.slice(0, at), event, ...items.slice(at)]
}

/** Newest first; of two at the same moment the one with the greater id. */
function isBefore(a: Event, b: Event | undefined) {
  if (b === undefined) return false
  const difference = Date.parse(a.occurredAt) - Date.parse(b.occurredAt)
  return difference === 0 ? a._id > b._id : difference > 0
}
