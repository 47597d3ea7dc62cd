import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minutesADay, weekLanes } from '../time/week-lanes.ts'
import { type Drawn, drawWeek, type WritableWindow } from './draw-week.ts'

const hour = 60

test('§4 schedules: hours that are drawn over several days are one window of these days', () => {
  const drawn = drawWeek([], { days: [1, 2, 3], from: 8 * hour, until: 17 * hour }, 'add')
  expect(drawn).toEqual([{ days: [1, 2, 3], start: '08:00', end: '17:00' }])
})

test('§4 schedules: windows that touch or overlap are merged, and a cleared one is removed', () => {
  const day: WritableWindow[] = [{ days: [1, 2], start: '08:00', end: '12:00' }]
  const longer = drawWeek(day, { days: [1, 2], from: 12 * hour, until: 17 * hour }, 'add')
  expect(longer).toEqual([{ days: [1, 2], start: '08:00', end: '17:00' }])
  expect(drawWeek(longer, { days: [2], from: 12 * hour, until: 13 * hour }, 'wipe')).toEqual([
    { days: [1], start: '08:00', end: '17:00' },
    { days: [2], start: '08:00', end: '12:00' },
    { days: [2], start: '13:00', end: '17:00' },
  ])
})

test('§4 schedules: a night stays one window over midnight, also from Sunday to Monday', () => {
  const night: WritableWindow[] = [{ days: [5, 7], start: '22:00', end: '06:00' }]
  const drawn = drawWeek(night, { days: [3], from: 8 * hour, until: 9 * hour }, 'add')
  expect(drawn).toEqual(
    expect.arrayContaining([
      { days: [5, 7], start: '22:00', end: '06:00' },
      { days: [3], start: '08:00', end: '09:00' },
    ]),
  )
  expect(drawn).toHaveLength(2)
})

test('§4 schedules: a night that ends at the minute at which it began is two windows', () => {
  const evening = drawWeek([], { days: [3], from: 22 * hour, until: minutesADay }, 'add')
  expect(drawWeek(evening, { days: [4], from: 0, until: 22 * hour }, 'add')).toEqual([
    { days: [3], start: '22:00', end: '24:00' },
    { days: [4], start: '00:00', end: '22:00' },
  ])
})

test('§4 schedules: a day that is open all round is written with 24:00', () => {
  expect(drawWeek([], { days: [6], from: 0, until: minutesADay }, 'add')).toEqual([
    { days: [6], start: '00:00', end: '24:00' },
  ])
})

test('§4 schedules: after any drawing, exactly the minutes are open that were open or drawn, and not erased', () => {
  const drawing = fc
    .record({
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      from: fc.integer({ min: 0, max: 95 }),
      length: fc.integer({ min: 1, max: 96 }),
      how: fc.constantFrom('add' as const, 'wipe' as const),
    })
    .map(({ days, from, length, how }) => ({ days, from: from * 15, until: Math.min(96, from + length) * 15, how }))
  fc.assert(
    fc.property(fc.array(drawing, { maxLength: 8 }), (drawings) => {
      let windows: WritableWindow[] = []
      const expected = new Set<string>()
      for (const { how, ...drawn } of drawings) {
        windows = drawWeek(windows, drawn, how)
        for (const quarter of quartersOf(drawn)) {
          if (how === 'add') expected.add(quarter)
          else expected.delete(quarter)
        }
      }
      expect(openQuarters(windows)).toEqual([...expected].toSorted())
      for (const { days, start, end } of windows) {
        expect(days.length).toBeGreaterThan(0)
        expect(start).not.toBe(end)
      }
    }),
  )
})

function quartersOf({ days, from, until }: Drawn) {
  return days.flatMap((day) =>
    Array.from({ length: (until - from) / 15 }, (_, index) => `${day} ${String(from + index * 15).padStart(4, '0')}`),
  )
}

function openQuarters(windows: readonly WritableWindow[]) {
  const open = weekLanes(windows).flatMap((lane, index) =>
    lane.flatMap((stretch) => quartersOf({ ...stretch, days: [index + 1] })),
  )
  return [...new Set(open)].toSorted()
}
