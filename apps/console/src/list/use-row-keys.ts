import type { KeyboardEvent } from 'react'

type UseRowKeysInput = {
  count: number
  bringIntoView: (index: number) => void
  /** Absent where rows cannot be selected: then Space presses the row's button, as Enter does. */
  onSelect: ((index: number, isRange: boolean) => void) | undefined
}

/** How many frames to wait for a scrolled row before giving up its focus. */
const maxFrames = 20

/** The keys of a table: arrows, Home and End move between rows, Space selects. Enter presses the row's button. */
export function useRowKeys({ count, bringIntoView, onSelect }: UseRowKeysInput) {
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
    focusRow(currentTarget, { index: to, framesLeft: maxFrames })
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

/** A row scrolled to from far away is drawn some frames later. */
function focusRow(body: HTMLElement, { index, framesLeft }: { index: number; framesLeft: number }) {
  const opener = body.querySelector(`[data-index="${index}"] [data-row-opener]`)
  if (opener instanceof HTMLElement) return opener.focus()
  if (framesLeft > 0) requestAnimationFrame(() => focusRow(body, { index, framesLeft: framesLeft - 1 }))
  return undefined
}
