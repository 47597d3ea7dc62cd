import { z } from 'zod'
import { draftPrefix } from '../session/drop-drafts.ts'

const draftSchema = z.object({ at: z.iso.datetime(), changes: z.record(z.string(), z.unknown()) })

/** What somebody changed in a form and did not save: kept in this tab until it is saved, dropped, or they sign out. */
export type Draft = z.output<typeof draftSchema>

export type DraftPlace = { person: string; accountRef: string; collection: string; id: string | undefined }

export function readDraft(place: DraftPlace): Draft | undefined {
  try {
    return draftSchema.safeParse(JSON.parse(sessionStorage.getItem(keyOf(place)) ?? 'null')).data
  } catch {
    return undefined
  }
}

export function keepDraft(place: DraftPlace, draft: Draft) {
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify(draft))
  } catch {
    // A browser that keeps nothing, or has no room left: the form itself still holds everything.
  }
}

export function dropDraft(place: DraftPlace) {
  try {
    sessionStorage.removeItem(keyOf(place))
  } catch {
    // Nothing was kept.
  }
}

function keyOf({ person, accountRef, collection, id }: DraftPlace) {
  return [draftPrefix, person, accountRef, collection, id ?? 'new'].join('/')
}
