/** Degrees. */
export type Location = { readonly lat: number; readonly lng: number }
export type Point = { readonly x: number; readonly y: number }
/** Its centre, as a part of the world from west to east and from north to south, and the width of the world in pixels. */
export type MapView = Point & { readonly worldPx: number }
export type MapFrame = { readonly view: MapView; readonly width: number; readonly height: number }

/** The projection of Mercator reaches no pole. */
const highestLat = 85
const [leastPx, mostPx] = [256, 256 * 2 ** 20]
/** About 50 km across, for a single site. */
const loneWorldPx = 600_000
const marginPx = 90
const equatorMetres = 40_075_017

export function worldOf({ lat, lng }: Location): Point {
  const phi = (clamped(lat, [-highestLat, highestLat]) * Math.PI) / 180
  return { x: (lng + 180) / 360, y: 0.5 - Math.asinh(Math.tan(phi)) / (2 * Math.PI) }
}

export function locationOf({ x, y }: Point): Location {
  const phi = Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI))
  return {
    lat: clamped((phi * 180) / Math.PI, [-highestLat, highestLat]),
    lng: clamped(x * 360 - 180, [-180, 180]),
  }
}

/** Where a location is drawn, from the upper left corner of the map. */
export function pixelOf(location: Location, { view, width, height }: MapFrame): Point {
  const { x, y } = worldOf(location)
  return { x: width / 2 + (x - view.x) * view.worldPx, y: height / 2 + (y - view.y) * view.worldPx }
}

export function locationAt(pixel: Point, { view, width, height }: MapFrame): Location {
  return locationOf({
    x: view.x + (pixel.x - width / 2) / view.worldPx,
    y: view.y + (pixel.y - height / 2) / view.worldPx,
  })
}

export function movedBy(view: MapView, { x, y }: Point): MapView {
  return {
    ...view,
    x: clamped(view.x - x / view.worldPx, [0, 1]),
    y: clamped(view.y - y / view.worldPx, [0, 1]),
  }
}

/** Nearer or farther, while the location under a pixel stays there. */
export function zoomedBy({ view, width, height }: MapFrame, { factor, at }: { factor: number; at: Point }): MapView {
  const worldPx = clamped(view.worldPx * factor, [leastPx, mostPx])
  const [fromX, fromY] = [at.x - width / 2, at.y - height / 2]
  const shrink = 1 / view.worldPx - 1 / worldPx
  return { worldPx, x: clamped(view.x + fromX * shrink, [0, 1]), y: clamped(view.y + fromY * shrink, [0, 1]) }
}

/** Shows all of these locations; without any, the world. */
export function viewOf(locations: readonly Location[], { width, height }: Omit<MapFrame, 'view'>): MapView {
  if (locations.length === 0) return { x: 0.5, y: 0.45, worldPx: Math.max(leastPx, width) }
  const points = locations.map(worldOf)
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const fitting = Math.min(
    Math.max(1, width - 2 * marginPx) / (right - left),
    Math.max(1, height - 2 * marginPx) / (bottom - top),
  )
  const most = locations.length === 1 || !Number.isFinite(fitting) ? loneWorldPx : mostPx
  return { x: (left + right) / 2, y: (top + bottom) / 2, worldPx: clamped(fitting, [leastPx, most]) }
}

/** The size of a marker with its name. */
const marker = { width: 150, height: 54 }

/** Items whose markers would overlap are one cluster, which is drawn at the place of its first. */
export function clustersOf<T extends { location: Location }>(items: readonly T[], frame: MapFrame) {
  const clusters: { at: Point; items: T[] }[] = []
  for (const item of items) {
    const at = pixelOf(item.location, frame)
    const near = clusters.find(
      (each) => Math.abs(each.at.x - at.x) < marker.width && Math.abs(each.at.y - at.y) < marker.height,
    )
    if (near) near.items.push(item)
    else clusters.push({ at, items: [item] })
  }
  return clusters
}

const steps = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]
const leastStepPx = 110

/** Meridians and parallels at round degrees within the map, with their pixels. */
export function graticuleOf(frame: MapFrame) {
  const { view, width, height } = frame
  const fine = steps.filter((degrees) => (degrees / 360) * view.worldPx >= leastStepPx).at(-1) ?? 30
  const [northWest, southEast] = [locationAt({ x: 0, y: 0 }, frame), locationAt({ x: width, y: height }, frame)]
  return {
    meridians: multiples(fine, { from: northWest.lng, until: southEast.lng }).map((degrees) => ({
      degrees,
      px: pixelOf({ lat: 0, lng: degrees }, frame).x,
    })),
    parallels: multiples(fine, { from: southEast.lat, until: northWest.lat }).map((degrees) => ({
      degrees,
      px: pixelOf({ lat: degrees, lng: 0 }, frame).y,
    })),
  }
}

function multiples(step: number, { from, until }: { from: number; until: number }) {
  const first = Math.ceil(from / step)
  const count = Math.max(0, Math.floor(until / step) - first + 1)
  return Array.from({ length: count }, (_, at) => Number(((first + at) * step).toFixed(3)))
}

const longestScalePx = 130

/** A round distance and its length at the centre of the map. */
export function scaleOf({ view }: MapFrame): { metres: number; px: number } {
  const { lat } = locationOf(view)
  const metresOfPx = (equatorMetres * Math.cos((lat * Math.PI) / 180)) / view.worldPx
  const most = longestScalePx * metresOfPx
  const power = 10 ** Math.floor(Math.log10(most))
  const metres = power * ([5, 2].find((each) => each * power <= most) ?? 1)
  return { metres, px: metres / metresOfPx }
}

function clamped(value: number, [least, most]: readonly [number, number]) {
  return Math.min(most, Math.max(least, value))
}
