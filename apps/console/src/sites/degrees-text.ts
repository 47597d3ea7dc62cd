import { decimal } from '../text/catalogue.ts'
import { text } from '../text/text.ts'

/** `33.92° S` */
export function latText(lat: number) {
  if (lat === 0) return text('siteMap.zero')
  return text(lat < 0 ? 'siteMap.south' : 'siteMap.north', { degrees: decimal.format(Math.abs(lat)) })
}

/** `18.42° E` */
export function lngText(lng: number) {
  if (lng === 0) return text('siteMap.zero')
  return text(lng < 0 ? 'siteMap.west' : 'siteMap.east', { degrees: decimal.format(Math.abs(lng)) })
}
