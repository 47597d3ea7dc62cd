import type { Event } from '../why/explanation.ts'

type Page = { items: Event[]; page: { totalElements: number }; next: string | null }
export type FeedPages = { pages: Page[]; pageParams: unknown[] }

/**
 * The loaded pages with newly arrived events, in any order, each at its place by time: a late one goes between the loaded
 * ones, and one that is older than all of them belongs to a page that was not loaded. Loaded events stay as they are; where
 * nothing is new the feed is the same.
 */
export function withArrivals<P extends FeedPages>(feed: P, arrived: readonly Event[]): P {
  const loaded = new Set(feed.pages.flatMap(({ items }) => items.map(({ _id }) => _id)))
  const added = [...new Map(arrived.map((event) => [event._id, event])).values()]
    .filter(({ _id }) => !loaded.has(_id))
    .sort((a, b) => (isBefore(a, b) ? -1 : 1))
  if (added.length === 0) return feed
  let rest = added
  const pages = feed.pages.map((page) => {
    const own = page.next === null ? rest : rest.filter((event) => isBefore(event, page.items.at(-1)))
    rest = rest.slice(own.length)
    const items = own.length === 0 ? page.items : merged(page.items, own)
    return { ...page, items, page: { ...page.page, totalElements: page.page.totalElements + added.length } }
  })
  return { ...feed, pages }
}

/** Those that belong on a loaded page, not further down. */
export function withinReach({ pages }: FeedPages, arrived: readonly Event[]): readonly Event[] {
  const last = pages.at(-1)
  return last?.next === null ? arrived : arrived.filter((event) => isBefore(event, last?.items.at(-1)))
}

/** The loaded pages without an event that the reader may no longer see. */
export function withoutEvent<P extends FeedPages>(feed: P, id: string): P {
  if (!feed.pages.some(({ items }) => items.some(({ _id }) => _id === id))) return feed
  const pages = feed.pages.map((page) => ({
    ...page,
    items: page.items.filter(({ _id }) => _id !== id),
    page: { ...page.page, totalElements: Math.max(0, page.page.totalElements - 1) },
  }))
  return { ...feed, pages }
}

/** Only the newest rows, as the one page that is loaded again. */
export function shortened<P extends FeedPages>(feed: P, size: number): P {
  const [first] = feed.pages
  if (!first) return feed
  return { ...feed, pages: [{ ...first, items: first.items.slice(0, size) }], pageParams: feed.pageParams.slice(0, 1) }
}

/** Two sorted lists merged into one. */
function merged(items: readonly Event[], added: readonly Event[]): Event[] {
  const all: Event[] = []
  let at = 0
  for (const event of added) {
    for (let item = items[at]; item && isBefore(item, event); item = items[at]) {
      all.push(item)
      at += 1
    }
    all.push(event)
  }
  return [...all, ...items.slice(at)]
}

/** Newest first; of two at the same moment the one with the greater id comes first. */
function isBefore(a: Event, b: Event | undefined) {
  if (b === undefined) return false
  const difference = Date.parse(a.occurredAt) - Date.parse(b.occurredAt)
  return difference === 0 ? a._id > b._id : difference > 0
}
