import { useCallback, useEffect, useState } from 'react'
import type { Arrival } from '../list/data-row.tsx'

/** For how many milliseconds a row that arrived is marked as new. */
const newForMs = 12_000
const maxSliding = 4
const none: ReadonlyMap<string, { at: number; arrival: Arrival }> = new Map()

/** Which rows are new: `mark` those that arrived together, `arrivalOf` returns the arrival of one. */
export function useNewRows() {
  const [fresh, setFresh] = useState(none)

  useEffect(() => {
    if (fresh === none) return undefined
    const timer = setTimeout(() => setFresh(none), newForMs)
    return () => clearTimeout(timer)
  }, [fresh])

  function mark(ids: readonly string[]) {
    if (ids.length === 0) return
    const at = Date.now()
    const arrival = ids.length > maxSliding ? 'stands' : 'slides'
    setFresh((current) => {
      const still = [...current].filter(([, row]) => row.at > at - newForMs)
      return new Map([...still, ...ids.map((id) => [id, { at, arrival }] as const)])
    })
  }

  return { mark, arrivalOf: useCallback((id: string) => fresh.get(id)?.arrival, [fresh]) }
}
