import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { type DraftPlace, dropDraft, keepDraft, readDraft } from './drafts.ts'

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
