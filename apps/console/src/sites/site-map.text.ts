export const siteMap = {
  title: 'Map of sites',
  tab: 'Map',
  keys: '{{label}}. Arrow keys: move. Plus and minus: zoom.',
  nearer: 'Zoom in',
  farther: 'Zoom out',
  whole: 'Show all',
  hint: 'Drag to move the map. Zoom with the buttons, two fingers, or Ctrl and the mouse wheel. The map has no coastlines or streets: it shows degrees and distances.',
  zero: '0°',
  north: '{{degrees}}° N',
  south: '{{degrees}}° S',
  east: '{{degrees}}° E',
  west: '{{degrees}}° W',
  kilometres: '{{count}} km',
  metres: '{{count}} m',
  cluster_one: '{{count, number}} site',
  cluster_other: '{{count, number}} sites',
  normal: 'Normal',
  list: 'Sites on the map and without a location',
  noLocation: 'No location',
  more: 'Only the first {{count, number}} sites by name are shown.',
  location: 'Location',
  lat: 'Latitude',
  lng: 'Longitude',
  locationHint: 'In degrees; south and west are negative. Press the map to set both.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    siteMap: typeof siteMap
  }
}
