import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clustersOf,
  graticuleOf,
  locationAt,
  type MapFrame,
  movedBy,
  pixelOf,
  scaleOf,
  viewOf,
  zoomedBy,
} from './map-view.ts'

const size = { width: 900, height: 420 }
const location = fc.record({
  lat: fc.double({ min: -80, max: 80, noNaN: true }),
  lng: fc.double({ min: -170, max: 170, noNaN: true }),
})
const locations = fc.array(location, { minLength: 1, maxLength: 30 })
const capeTown = { lat: -33.92, lng: 18.42 }
const durban = { lat: -29.86, lng: 31.02 }
const frameOf = (...shown: (typeof capeTown)[]): MapFrame => ({ ...size, view: viewOf(shown, size) })

test('a pixel leads back to its location', () => {
  fc.assert(
    fc.property(locations, (all) => {
      const frame = frameOf(...all)
      for (const each of all) {
        const back = locationAt(pixelOf(each, frame), frame)
        expect(back.lat).toBeCloseTo(each.lat, 6)
        expect(back.lng).toBeCloseTo(each.lng, 6)
      }
    }),
  )
})

test('the first view shows all locations', () => {
  fc.assert(
    fc.property(locations, (all) => {
      for (const { x, y } of all.map((each) => pixelOf(each, frameOf(...all)))) {
        expect(x >= 0 && x <= size.width && y >= 0 && y <= size.height).toBe(true)
      }
    }),
  )
})

test('a zoom keeps the location under the pointer, and a drag moves all by as much', () => {
  const frame = frameOf(capeTown, durban)
  const at = { x: 200, y: 150 }
  const nearer = { ...frame, view: zoomedBy(frame, { factor: 2, at }) }
  const [before, after] = [locationAt(at, frame), locationAt(at, nearer)]
  expect([after.lat, after.lng]).toEqual([expect.closeTo(before.lat, 6), expect.closeTo(before.lng, 6)])
  expect(nearer.view.worldPx).toBe(frame.view.worldPx * 2)
  const dragged = { ...frame, view: movedBy(frame.view, { x: 30, y: -20 }) }
  const [from, to] = [pixelOf(durban, frame), pixelOf(durban, dragged)]
  expect([to.x - from.x, to.y - from.y]).toEqual([expect.closeTo(30, 6), expect.closeTo(-20, 6)])
})

test('markers never overlap: nearby sites are one cluster, each site is in one', () => {
  fc.assert(
    fc.property(locations, (all) => {
      const clusters = clustersOf(
        all.map((each) => ({ location: each })),
        frameOf(...all),
      )
      expect(clusters.flatMap(({ items }) => items)).toHaveLength(all.length)
      for (const [at, one] of clusters.entries()) {
        for (const other of clusters.slice(at + 1)) {
          expect(Math.abs(one.at.x - other.at.x) >= 150 || Math.abs(one.at.y - other.at.y) >= 54).toBe(true)
        }
      }
    }),
  )
})

test('the lines are at round degrees, and not too close', () => {
  const { meridians, parallels } = graticuleOf(frameOf(capeTown, durban))
  expect(meridians.map(({ degrees }) => degrees)).toEqual([20, 25, 30])
  expect(parallels.every(({ degrees }) => degrees % 5 === 0)).toBe(true)
  const gaps = meridians.slice(1).map(({ px }, at) => px - (meridians[at]?.px ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThan(100)
})

test('the scale is a round distance, true at the centre of the map', () => {
  const { metres, px } = scaleOf(frameOf(capeTown, durban))
  expect([metres, px < 131]).toEqual([200_000, true])
  expect(scaleOf({ ...size, view: { x: 0.5, y: 0.5, worldPx: 40_075_017 } })).toEqual({ metres: 100, px: 100 })
})
