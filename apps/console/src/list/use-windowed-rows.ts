import { defaultRangeExtractor, type Range, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useIsNarrow } from '../ui/use-is-narrow.ts'

/** Up to this many rows, all are drawn: it is as fast, and the browser's own search finds their words. */
const fewRows = 60
/** Estimates until rows have been measured: a row of a table, and a card on a phone. */
const usualPx = { row: 48, card: 104 }
/** Rows drawn above and below the window, so that quick scrolling shows no gap. */
const overscan = 15
/** The height covered by the top bar and the head of the table. */
const barsPx = 100

/** A row that is drawn, and the height of the rows left out before it. */
export type DrawnRow = { index: number; gapPx: number }

type UseWindowedRowsInput = { count: number; keyAt: (index: number) => string }

/**
 * Which rows of a long page to draw: those in the window, some around it, and the one that has the focus (removed from the page, it
 * would lose the focus). The page itself scrolls, not a box in it. Heights are measured, also while all rows are drawn, and
 * belong to the row's key: a list that grows beyond that keeps its place.
 */
export function useWindowedRows({ count, keyAt }: UseWindowedRowsInput) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [focused, setFocused] = useState<number>()
  const [topPx, setTopPx] = useState(0)
  const isWindowed = count > fewRows
  const rowPx = useIsNarrow() ? usualPx.card : usualPx.row

  const virtual = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    estimateSize: () => rowPx,
    getItemKey: keyAt,
    overscan,
    scrollMargin: topPx,
    scrollPaddingStart: barsPx,
    rangeExtractor: useCallback((range: Range) => withFocused(range, focused), [focused]),
  })

  // While all rows are drawn the page has its full height, and needs no correction.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = isWindowed ? undefined : () => false

  // The content above the table grows and shrinks, and the page with it.
  useLayoutEffect(() => {
    if (!isWindowed) return undefined
    const measure = () => setTopPx(Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [isWindowed])

  useEffect(() => {
    if (!isWindowed) return undefined
    const follow = () => setFocused(focusedIndex(body.current))
    document.addEventListener('focusin', follow)
    return () => document.removeEventListener('focusin', follow)
  }, [isWindowed])

  if (!isWindowed) {
    const rows = Array.from({ length: count }, (_, index) => ({ index, gapPx: 0 }))
    return { body, rows, afterPx: 0, measure: virtual.measureElement, bringIntoView: toTopForFirst }
  }
  const items = virtual.getVirtualItems()
  return {
    body,
    rows: drawnRows(items, topPx),
    afterPx: virtual.getTotalSize() - ((items.at(-1)?.end ?? topPx) - topPx),
    measure: virtual.measureElement,
    bringIntoView: (index: number) => {
      toTopForFirst(index)
      if (index > 0) virtual.scrollToIndex(index, { align: 'auto' })
    },
  }
}

/** The first row means the top of the page: only there does a live list continue. */
function toTopForFirst(index: number) {
  if (index === 0) window.scrollTo({ top: 0 })
}

function drawnRows(items: readonly VirtualItem[], topPx: number): DrawnRow[] {
  return items.map(({ index, start }, at) => ({ index, gapPx: start - (items[at - 1]?.end ?? topPx) }))
}

function withFocused(range: Range, focused: number | undefined) {
  const drawn = defaultRangeExtractor(range)
  if (focused === undefined || focused >= range.count || drawn.includes(focused)) return drawn
  return [...drawn, focused].sort((a, b) => a - b)
}

function focusedIndex(body: HTMLElement | null) {
  const row = body?.contains(document.activeElement) ? document.activeElement?.closest('[data-index]') : undefined
  return row ? Number(row.getAttribute('data-index')) : undefined
}
