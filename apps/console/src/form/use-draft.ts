import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { draftPrefix } from '../session/drop-drafts.ts'

const draftChanges = z.record(z.string(), z.unknown())

type UseDraftInput = {
  place: DraftPlace
  /** The unsaved changes of the form; undefined if there are none. */
  changes: Readonly<Record<string, unknown>> | undefined
}

/** Stores the unsaved changes of a form through a reload or the end of a session, and returns earlier ones. */
export function useDraft({ place, changes }: UseDraftInput) {
  const { person, accountRef, collection, id } = place
  const [found, setFound] = useState(() => readDraft(place))
  const stored = changes === undefined ? undefined : JSON.stringify(changes)

  const hasStored = useRef(false)

  useEffect(() => {
    if (stored === undefined) {
      // A value changed back is no change.
      if (hasStored.current) dropDraft({ person, accountRef, collection, id })
      return
    }
    hasStored.current = true
    const fields = draftChanges.parse(JSON.parse(stored))
    keepDraft({ person, accountRef, collection, id }, { at: new Date().toISOString(), changes: fields })
  }, [stored, person, accountRef, collection, id])

  return {
    found,
    /** The draft was restored or discarded. */
    settle: () => setFound(undefined),
    drop: () => {
      setFound(undefined)
      dropDraft(place)
    },
  }
}

const draftSchema = z.object({ at: z.iso.datetime(), changes: z.record(z.string(), z.unknown()) })

/** Unsaved changes in a form: stored in this tab until they are saved or discarded, or the user signs out. */
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
    // A browser without storage, or without room left: the form itself still has everything.
  }
}

function dropDraft(place: DraftPlace) {
  try {
    sessionStorage.removeItem(keyOf(place))
  } catch {
    // There is no draft.
  }
}

function keyOf({ person, accountRef, collection, id }: DraftPlace) {
  return [draftPrefix, person, accountRef, collection, id ?? 'new'].join('/')
}
