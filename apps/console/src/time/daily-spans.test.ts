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

test('nights stay apart', () => {
  expect(spans(span('11-28T20:00', '11-29T07:00'), span('11-29T20:00', '11-30T07:00'))).toEqual([
    ['Sat 28 Nov, 20:00 – Sun 29 Nov, 07:00', 1],
    ['Sun 29 Nov, 20:00 – Mon 30 Nov, 07:00', 1],
  ])
})

test('a day is not one period with the next one, which ends a day later', () => {
  expect(spans(span('12-01T08:00', '12-01T18:00'), span('12-02T08:00', '12-03T18:00'))).toHaveLength(2)
})

test('a period without an end stays alone', () => {
  const endless = { ...span('12-02T08:00', '12-02T18:00'), until: null }
  expect(dailySpans([span('12-01T08:00', '12-01T18:00'), endless], 'Africa/Johannesburg')).toHaveLength(2)
})
