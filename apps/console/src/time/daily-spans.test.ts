import { expect, test } from 'vitest'
import { dailySpans } from './daily-spans.ts'

/** In Johannesburg, two hours ahead of UTC. */
function span(from: string, until: string) {
  return { from: `2026-${from}:00+02:00`, until: `2026-${until}:00+02:00` }
}

function spans(...all: readonly ReturnType<typeof span>[]) {
  return dailySpans(all, 'Africa/Johannesburg').map(({ words, count }) => [words.replaceAll(/\s/g, ' '), count])
}

test('the same hours on consecutive days are one period, and a weekend ends it', () => {
  const days = ['11-30', '12-01', '12-02', '12-03', '12-04', '12-07', '12-08']
  expect(spans(...days.map((day) => span(`${day}T08:00`, `${day}T18:00`)))).toEqual([
    ['Mon 30 Nov – Fri 4 Dec, 08:00–18:00', 5],
    ['Mon 7 Dec – Tue 8 Dec, 08:00–18:00', 2],
  ])
})

test('other hours on the next day are a period of their own', () => {
  expect(spans(span('12-03T09:30', '12-03T18:00'), span('12-04T08:00', '12-04T18:00'))).toEqual([
    ['Thu 3 Dec, 09:30–18:00', 1],
    ['Fri 4 Dec, 08:00–18:00', 1],
  ])
})

test('nights are one period too, but not with a night that ends a day later', () => {
  const nights = [span('12-01T22:00', '12-02T06:00'), span('12-02T22:00', '12-03T06:00')]
  expect(spans(...nights, span('12-03T22:00', '12-05T06:00'))).toEqual([
    ['Tue 1 Dec – Wed 2 Dec, 22:00–06:00', 2],
    ['Thu 3 Dec, 22:00 – Sat 5 Dec, 06:00', 1],
  ])
})

test('a period without an end stays alone', () => {
  const endless = { ...span('12-02T08:00', '12-02T18:00'), until: null }
  expect(dailySpans([span('12-01T08:00', '12-01T18:00'), endless], 'Africa/Johannesburg')).toHaveLength(2)
})
