import { expect, test } from 'vitest'
import { holiday } from '@portcullis/domain/sample-policy'
import { datesInWords, nextDateInWords } from './dates-in-words.ts'

const day = { from: '2026-12-16', until: '2026-12-16', recurring: true }

test.each([
  [[day], '16 Dec, every year'],
  [[{ ...day, recurring: false }], '16 Dec 2026'],
  [[{ from: '2027-06-30', until: '2027-07-01', recurring: false }], '30 Jun to 1 Jul 2027'],
  [[{ from: '2026-12-31', until: '2027-01-01', recurring: false }], '31 Dec 2026 to 1 Jan 2027'],
  [[{ from: '2026-12-25', until: '2026-12-26', recurring: true }], '25 Dec to 26 Dec, every year'],
  [[day, day, day], '16 Dec, every year and 2 more'],
  [[], '–'],
])('holidays are written in words', (dates, words) => {
  expect(datesInWords(dates)).toBe(words)
})

test.each([
  ['2026-11-25', [day], 'Wed 16 Dec 2026'],
  ['2026-12-17', [day], 'Thu 16 Dec 2027'],
  ['2026-12-16', [{ ...day, recurring: false }], 'Wed 16 Dec 2026'],
  ['2026-12-17', [{ ...day, recurring: false }], undefined],
  ['2026-11-25', [{ ...day, from: '2027-02-01', until: '2027-02-01' }, day], 'Wed 16 Dec 2026'],
])('the next date of a holiday on %s', (today, dates, words) => {
  expect(nextDateInWords(holiday({ dates }), today)?.replace(',', '')).toBe(words)
})
