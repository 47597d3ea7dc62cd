import { expect, test } from 'vitest'
import { type FeedPages, withArrivals, withinReach, withoutEvent } from './feed-pages.ts'
import { sampleEvent } from './sample-event.ts'

test('a new event appears at the top', () => {
  expect(idsOf(withArrivals(feed(), [at(50)]))).toEqual(['50', '40', '30', '20', '10'])
})

test('a backfilled event is inserted at its time', () => {
  expect(idsOf(withArrivals(feed(), [at(25)]))).toEqual(['40', '30', '25', '20', '10'])
})

test('an event older than the loaded ones is counted and stays on its page', () => {
  const later = withArrivals(feed('more'), [at(5)])
  expect(idsOf(later)).toEqual(['40', '30', '20', '10'])
  expect(later.pages[0]?.page.totalElements).toBe(5)
})

test('the oldest event is added at the end of a completely loaded list', () => {
  expect(idsOf(withArrivals(feed(), [at(5)]))).toEqual(['40', '30', '20', '10', '05'])
})

test('an event that is there already changes nothing', () => {
  const before = feed()
  expect(withArrivals(before, [at(20), at(10)])).toBe(before)
})

test('several that arrive together, in any order and some of them twice, are each put at their place once', () => {
  const later = withArrivals(feed('more'), [at(15), at(55), at(5), at(35), at(55), at(40), at(45)])
  expect(idsOf(later)).toEqual(['55', '45', '40', '35', '30', '20', '15', '10'])
  expect(later.pages.map(({ page }) => page.totalElements)).toEqual([9, 9])
})

test('events already shown stay the same objects, so their rows are not drawn again', () => {
  const before = feed()
  expect(withArrivals(before, [at(50)]).pages[0]?.items[1]).toBe(before.pages[0]?.items[0])
})

test('events below the loaded ones are not inserted, unless everything is loaded', () => {
  expect(withinReach(feed('more'), [at(50), at(15), at(5)])).toEqual([at(50), at(15)])
  expect(withinReach(feed(), [at(50), at(5)])).toEqual([at(50), at(5)])
})

test('an event that the reader may no longer see is removed and not counted', () => {
  const later = withoutEvent(feed(), '30')
  expect(idsOf(later)).toEqual(['40', '20', '10'])
  expect(later.pages[1]?.page.totalElements).toBe(3)
  const before = feed()
  expect(withoutEvent(before, '31')).toBe(before)
})

test('the first event of an empty list is shown', () => {
  const empty = { pages: [{ items: [], page: { totalElements: 0 }, next: null }], pageParams: [] }
  expect(idsOf(withArrivals(empty, [at(1)]))).toEqual(['01'])
})

function at(second: number) {
  const two = String(second).padStart(2, '0')
  return sampleEvent({ _id: two, occurredAt: `2026-11-18T18:42:${two}.000Z` })
}

function feed(rest?: 'more'): FeedPages {
  const page = { totalElements: 4 }
  return {
    pages: [
      { items: [at(40), at(30)], page, next: 'a' },
      { items: [at(20), at(10)], page, next: rest === 'more' ? 'b' : null },
    ],
    pageParams: [],
  }
}

function idsOf({ pages }: FeedPages) {
  return pages.flatMap(({ items }) => items.map(({ _id }) => _id))
}
