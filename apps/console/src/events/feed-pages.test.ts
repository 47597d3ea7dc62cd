import { expect, test } from 'vitest'
import { type FeedPages, withArrival } from './feed-pages.ts'
import { sampleEvent } from './sample-event.ts'

test('an event that just happened stands at the top', () => {
  expect(idsOf(withArrival(feed(), at(50)))).toEqual(['50', '40', '30', '20', '10'])
})

test('a back-filled event goes to its place in time', () => {
  expect(idsOf(withArrival(feed(), at(25)))).toEqual(['40', '30', '25', '20', '10'])
})

test('an event that is older than what was loaded waits on its page, and is counted', () => {
  const later = withArrival(feed('more'), at(5))
  expect(idsOf(later)).toEqual(['40', '30', '20', '10'])
  expect(later.pages[0]?.page.totalElements).toBe(5)
})

test('an event that is older than all goes to the end of a list that is all there', () => {
  expect(idsOf(withArrival(feed(), at(5)))).toEqual(['40', '30', '20', '10', '05'])
})

test('an event that is there already changes nothing', () => {
  const before = feed()
  expect(withArrival(before, at(20))).toBe(before)
})

test('the first event of an empty list is shown', () => {
  const empty = { pages: [{ items: [], page: { totalElements: 0 }, next: null }], pageParams: [] }
  expect(idsOf(withArrival(empty, at(1)))).toEqual(['01'])
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
