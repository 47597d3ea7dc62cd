import { type MouseEvent, useRef } from 'react'

/**
 * For buttons that call the server: a press while a call is running does nothing. The second press of a double click
 * also does nothing, whether it comes before the button is redrawn or after a quick answer.
 */
export function useSinglePress(start: () => Promise<unknown>) {
  const isUnderWay = useRef(false)

  function settle() {
    isUnderWay.current = false
  }

  return (pressed: MouseEvent) => {
    if (isUnderWay.current || pressed.detail > 1) return
    isUnderWay.current = true
    // The mutation reports an error to the component that shows it.
    start().then(settle, settle)
  }
}
