import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useRef } from 'react'

/** Rows drawn above and below the window, so that quick scrolling shows no gap. */
const overscan = 12

/**
 * Of many rows of the same height, in a scrolling box, those to render: from `from` to before `to`. However many rows there are, a
 * key press renders a few dozen.
 */
export function useFixedRows<E extends HTMLElement>({ count, rowPx }: { count: number; rowPx: number }) {
  const box = useRef<E>(null)
  const virtual = useVirtualizer<E, HTMLElement>({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan,
  })
  const drawn = virtual.getVirtualItems()
  const from = drawn[0]?.index ?? 0
  const to = (drawn.at(-1)?.index ?? -1) + 1
  const bringIntoView = useCallback(
    (index: number) => virtual.scrollToIndex(Math.min(index, count - 1)),
    [virtual, count],
  )
  return { box, from, to, beforePx: from * rowPx, afterPx: (count - to) * rowPx, bringIntoView }
}
