import { useCallback, useEffect, useRef, useState } from 'react'
import { rowTop, rowWindow } from './row-window.ts'

/** Below this many rows all of them are drawn: it is no slower, and the browser finds words on the page. */
const fewRows = 60
const usualPx = 48
/** Drawn above and below what is in sight, lest quick scrolling shows a gap. */
const marginPx = 800

/**
 * Which rows of a long page to draw: those in the window and some around it, and the one that has the focus; each with the height
 * of what is left out before it. The page itself scrolls, not a box in it.
 */
export function useWindowedRows(count: number) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [heights, setHeights] = useState<ReadonlyMap<number, number>>(new Map())
  const [sight, setSight] = useState({ fromPx: 0, toPx: 2_000 })
  const [kept, setKept] = useState<number>()
  const isWindowed = count > fewRows

  useEffect(() => {
    if (!isWindowed) return undefined
    const look = () => setSight((known) => nearer(known, inSight(body.current)))
    const keep = () => setKept(focusedIndex(body.current))
    look()
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    document.addEventListener('focusin', keep)
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
      document.removeEventListener('focusin', keep)
    }
  }, [isWindowed])

  // Rows are measured as they are drawn: those with more lines are higher.
  const [observer] = useState(
    () => new ResizeObserver((entries) => setHeights((known) => withHeights(known, entries.map(heightOf)))),
  )
  const measure = useCallback(
    (row: HTMLElement | null) => {
      if (!row) return undefined
      observer.observe(row)
      return () => observer.unobserve(row)
    },
    [observer],
  )

  const bringIntoView = useCallback(
    (index: number) => {
      if (!isWindowed || !body.current) return
      const top = body.current.getBoundingClientRect().top + rowTop(index, { heights, usualPx })
      if (top < barsPx || top > window.innerHeight - usualPx * 2) {
        window.scrollBy({ top: top - window.innerHeight / 2, behavior: 'instant' })
      }
    },
    [isWindowed, heights],
  )

  if (isWindowed) return { body, bringIntoView, measure, ...rowWindow({ count, heights, usualPx, ...sight, kept }) }
  const rows = Array.from({ length: count }, (_, index) => ({ index, gapPx: 0 }))
  return { body, bringIntoView, measure: undefined, rows, afterPx: 0 }
}

/** What the top bar and the head of the table cover. */
const barsPx = 100

function inSight(body: HTMLElement | null) {
  const fromPx = -(body?.getBoundingClientRect().top ?? 0)
  return { fromPx: fromPx - marginPx, toPx: fromPx + window.innerHeight + marginPx }
}

/** A few pixels are no reason to draw anew. */
function nearer<S extends { fromPx: number }>(known: S, seen: S) {
  return Math.abs(seen.fromPx - known.fromPx) < marginPx / 4 ? known : seen
}

type Height = readonly [index: number, px: number]

function heightOf({ target }: ResizeObserverEntry): Height {
  return [Number(target.getAttribute('data-index')), target.getBoundingClientRect().height]
}

function withHeights(known: ReadonlyMap<number, number>, found: readonly Height[]) {
  // A row that has just left the page has no height.
  const news = found.filter(([index, px]) => px > 0 && known.get(index) !== px)
  return news.length === 0 ? known : new Map([...known, ...news])
}

/** The place of the row that holds the focus: it stays drawn, or the focus would be lost. */
function focusedIndex(body: HTMLElement | null) {
  const row = body?.contains(document.activeElement) ? document.activeElement?.closest('[data-index]') : undefined
  return row ? Number(row.getAttribute('data-index')) : undefined
}
