import { expect, test } from 'vitest'
import { atZone, dateAndTime, momentText, relative, zoneInWords } from './time-text.ts'

const now = new Date('2026-11-20T18:42:07Z')

function secondsAgo(seconds: number) {
  return new Date(now.getTime() - seconds * 1_000)
}

test.each([
  [3, 'just now'],
  [40, '40 s ago'],
  [12 * 60, '12 min ago'],
  [3 * 3_600 + 59, '3 h ago'],
  [49 * 3_600, '2 d ago'],
])('%i seconds are written as "%s"', (seconds, words) => {
  expect(relative(secondsAgo(seconds), now)).toBe(words)
})

test('a clock that runs a little ahead does not show the future', () => {
  expect(relative(secondsAgo(-4), now)).toBe('just now')
})

test("the site's time names its place", () => {
  expect(atZone(now, 'Africa/Johannesburg')).toBe('Fri, 20 Nov 2026, 20:42:07 Johannesburg')
  expect(zoneInWords('Africa/Johannesburg', now)).toBe('Johannesburg (UTC+2)')
  expect(zoneInWords('Europe/London', now)).toBe('London (UTC)')
})

test('today needs no date, another day does, another year its year', () => {
  expect(dateAndTime(now, { now, isTimeOnly: true })).toMatch(/^\d\d:42:07$/)
  expect(dateAndTime(secondsAgo(40 * 3_600), { now, isTimeOnly: true })).toMatch(/^\d\d? Nov, \d\d:42:07$/)
  expect(dateAndTime(secondsAgo(400 * 86_400), { now })).toMatch(/2025, /)
})

test('a moment of a form or a sentence has no seconds, and text that is no moment is not shown as one', () => {
  expect(momentText(now.toISOString(), now)).toMatch(/^20 Nov, \d\d:42$/)
  expect(momentText('31/11/2026', now)).toBe('…')
})
