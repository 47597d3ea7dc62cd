import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Drawn above and below what is in sight, lest quick scrolling shows a gap. */
const marginRows = 12

/**
 * Of many rows of the same height, in a box that scrolls, those that are drawn: from `from` to before `to`. Whatever the number of
 * rows, a stroke of a key draws a few dozen.
 */
export function useFixedRows<E extends HTMLElement>({ count, rowPx }: { count: number; rowPx: number }) {
  const box = useRef<E>(null)
  const [sight, setSight] = useState({ top: 0, height: 600 })

  const look = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {}
    const top = Math.floor(scrollTop / rowPx) * rowPx
    setSight((known) => (known.top === top && known.height === clientHeight ? known : { top, height: clientHeight }))
  }, [rowPx])

  // A box that became shorter or longer has scrolled by itself.
  useLayoutEffect(look, [look, count])

  const bringIntoView = useCallback(
    (index: number) => {
      const { current } = box
      if (!current) return
      const top = Math.min(index, count - 1) * rowPx
      if (top < current.scrollTop) current.scrollTop = top
      else if (top + rowPx > current.scrollTop + current.clientHeight)
        current.scrollTop = top + rowPx - current.clientHeight
      look()
    },
    [count, rowPx, look],
  )

  const first = Math.max(0, sight.top / rowPx - marginRows)
  const to = Math.min(count, Math.ceil((sight.top + sight.height) / rowPx) + marginRows)
  const from = Math.min(first, to)
  return { box, look, bringIntoView, from, to, beforePx: from * rowPx, afterPx: (count - to) * rowPx }
}
