import { type MouseEvent, useRef } from 'react'

/**
 * For buttons that have the server do something: a press while it is under way does nothing, nor does the second of a double click,
 * which may come before the button is drawn anew, or after a quick answer.
 */
export function useSinglePress(start: () => Promise<unknown>) {
  const isUnderWay = useRef(false)

  function settle() {
    isUnderWay.current = false
  }

  return (pressed: MouseEvent) => {
    if (isUnderWay.current || pressed.detail > 1) return
    isUnderWay.current = true
    // A refusal is told by the mutation, to whoever draws it.
    start().then(settle, settle)
  }
}
