import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowTop, rowWindow } from './row-window.ts'

const usualPx = 48
const none = new Map<number, number>()

test('§4 speed: of a long list only what is in sight is drawn', () => {
  const { rows, afterPx } = rowWindow({ count: 500, heights: none, usualPx, fromPx: 4_800, toPx: 5_000 })
  expect(rows.map(({ index }) => index)).toEqual([100, 101, 102, 103, 104])
  expect(rows[0]?.gapPx).toBe(4_800)
  expect(afterPx).toBe(395 * usualPx)
})

test('rows are as high as they were when they were drawn', () => {
  const heights = new Map([[0, 200]])
  const { rows } = rowWindow({ count: 10, heights, usualPx, fromPx: 0, toPx: 210 })
  expect(rows.map(({ index }) => index)).toEqual([0, 1])
  expect(rowTop(2, { heights, usualPx })).toBe(248)
})

test('the row that has the focus stays drawn, wherever it is', () => {
  const { rows, afterPx } = rowWindow({ count: 100, heights: none, usualPx, fromPx: 0, toPx: 96, kept: 50 })
  expect(rows).toEqual([
    { index: 0, gapPx: 0 },
    { index: 1, gapPx: 0 },
    { index: 50, gapPx: 48 * usualPx },
  ])
  expect(afterPx).toBe(49 * usualPx)
})

test('whatever is drawn, the list is as high as all of its rows', () => {
  const heights = fc.array(fc.tuple(fc.nat(80), fc.integer({ min: 1, max: 300 }))).map((pairs) => new Map(pairs))
  fc.assert(
    fc.property(fc.nat(80), heights, fc.nat(9_000), fc.nat(2_000), fc.nat(80), (count, heights, fromPx, room, kept) => {
      const { rows, afterPx } = rowWindow({ count, heights, usualPx, fromPx, toPx: fromPx + room, kept })
      const drawnPx = rows.reduce((sum, { index, gapPx }) => sum + gapPx + (heights.get(index) ?? usualPx), 0)
      expect(drawnPx + afterPx).toBe(rowTop(count, { heights, usualPx }))
    }),
  )
})
