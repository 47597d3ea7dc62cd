import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { draftPrefix } from '../session/drop-drafts.ts'

const keptChanges = z.record(z.string(), z.unknown())

type Asked = {
  place: DraftPlace
  /** What the form holds besides what is saved; nothing where it holds nothing. */
  changes: Readonly<Record<string, unknown>> | undefined
}

/** Keeps the unsaved changes of a form through a reload or the end of a session, and answers those of an earlier time. */
export function useDraft({ place, changes }: Asked) {
  const { person, accountRef, collection, id } = place
  const [found, setFound] = useState(() => readDraft(place))
  const kept = changes === undefined ? undefined : JSON.stringify(changes)

  const hasKept = useRef(false)

  useEffect(() => {
    if (kept === undefined) {
      // What was changed back is no change.
      if (hasKept.current) dropDraft({ person, accountRef, collection, id })
      return
    }
    hasKept.current = true
    const fields = keptChanges.parse(JSON.parse(kept))
    keepDraft({ person, accountRef, collection, id }, { at: new Date().toISOString(), changes: fields })
  }, [kept, person, accountRef, collection, id])

  return {
    found,
    /** It is taken up, or not wanted. */
    settle: () => setFound(undefined),
    drop: () => {
      setFound(undefined)
      dropDraft(place)
    },
  }
}

const draftSchema = z.object({ at: z.iso.datetime(), changes: z.record(z.string(), z.unknown()) })

/** What somebody changed in a form and did not save: kept in this tab until it is saved, dropped, or they sign out. */
type Draft = z.output<typeof draftSchema>

type DraftPlace = { person: string; accountRef: string; collection: string; id: string | undefined }

function readDraft(place: DraftPlace): Draft | undefined {
  try {
    return draftSchema.safeParse(JSON.parse(sessionStorage.getItem(keyOf(place)) ?? 'null')).data
  } catch {
    return undefined
  }
}

function keepDraft(place: DraftPlace, draft: Draft) {
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify(draft))
  } catch {
    // A browser that keeps nothing, or has no room left: the form itself still holds everything.
  }
}

function dropDraft(place: DraftPlace) {
  try {
    sessionStorage.removeItem(keyOf(place))
  } catch {
    // Nothing was kept.
  }
}

function keyOf({ person, accountRef, collection, id }: DraftPlace) {
  return [draftPrefix, person, accountRef, collection, id ?? 'new'].join('/')
}
