import { z } from 'zod'
import { mayRemember, remembered } from '../cookies/cookie-consent.ts'

const place = z.object({ label: z.string(), hint: z.string(), path: z.string() })
export type RecentPlace = z.output<typeof place>

const most = 6

/** The places gone to last from the palette in this tab, in this account: the newest first. */
export function recentPlaces(accountRef: string): RecentPlace[] {
  try {
    const parsed = z.array(place).safeParse(JSON.parse(sessionStorage.getItem(keyOf(accountRef)) ?? '[]'))
    return parsed.data ?? []
  } catch {
    return []
  }
}

/** Remembers it, with the person's consent. */
export function rememberPlace(accountRef: string, { label, hint, path }: RecentPlace) {
  if (!mayRemember()) return
  const others = recentPlaces(accountRef).filter((known) => known.path !== path)
  const places = [{ label, hint, path }, ...others].slice(0, most)
  try {
    sessionStorage.setItem(keyOf(accountRef), JSON.stringify(places))
  } catch {
    // A browser that keeps nothing offers nothing recent.
  }
}

function keyOf(accountRef: string) {
  return `${remembered.places}${accountRef}`
}
