import type { KeyboardEvent } from 'react'

type Asked = {
  count: number
  bringIntoView: (index: number) => void
  /** Absent where rows cannot be selected: Space presses the row's button then, as Enter does. */
  onSelect: ((index: number, isRange: boolean) => void) | undefined
}

/** How often a row that is brought into view is looked for before its focus is given up. */
const mostFrames = 20

/** The keys of a table: arrows, Home and End go from row to row, Space selects. Enter presses the row's button by itself. */
export function useRowKeys({ count, bringIntoView, onSelect }: Asked) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget, key, shiftKey } = event
    if (!(target instanceof HTMLElement) || !target.hasAttribute('data-row-opener')) return
    const index = Number(target.closest('[data-index]')?.getAttribute('data-index'))
    if (key === ' ' && onSelect) {
      event.preventDefault()
      return onSelect(index, shiftKey)
    }
    const to = goal(key, { index, last: count - 1 })
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (to === index) return
    bringIntoView(to)
    focusRow(currentTarget, { index: to, framesLeft: mostFrames })
  }
}

function goal(key: string, { index, last }: { index: number; last: number }) {
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, index + 1)
    case 'ArrowUp':
      return Math.max(0, index - 1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}

/** A row that comes from far away is drawn some frames later. */
function focusRow(body: HTMLElement, { index, framesLeft }: { index: number; framesLeft: number }) {
  const opener = body.querySelector(`[data-index="${index}"] [data-row-opener]`)
  if (opener instanceof HTMLElement) return opener.focus()
  if (framesLeft > 0) requestAnimationFrame(() => focusRow(body, { index, framesLeft: framesLeft - 1 }))
  return undefined
}
