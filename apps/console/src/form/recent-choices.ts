import { z } from 'zod'
import { mayRemember, remembered } from '../cookies/cookie-consent.ts'

const most = 5
const idsSchema = z.array(z.uuid()).max(most)

type Place = { person: string; accountRef: string; collection: string }

/** What this person chose last from a collection in this account, the newest first. Ids only: names are asked of the server. */
export function recentChoices(place: Place): readonly string[] {
  try {
    return idsSchema.safeParse(JSON.parse(localStorage.getItem(keyOf(place)) ?? '[]')).data ?? []
  } catch {
    return []
  }
}

/** Remembers it, with the person's consent. */
export function rememberChoice(place: Place, id: string) {
  if (!mayRemember()) return
  const ids = [id, ...recentChoices(place).filter((known) => known !== id)].slice(0, most)
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(ids))
  } catch {
    // A browser that keeps nothing offers everything in one list.
  }
}

function keyOf({ person, accountRef, collection }: Place) {
  return `${remembered.choices}${person}/${accountRef}/${collection}`
}
