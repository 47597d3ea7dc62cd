import { useSyncExternalStore } from 'react'

const topPx = 120

/** Whether the page is scrolled down: somebody reads what is further below. */
export function useIsScrolled(): boolean {
  return useSyncExternalStore(watchScrolling, () => isScrolled)
}

// Asked at every row that arrives, so it is measured only when somebody scrolls: measuring makes the browser lay out the page.
let isScrolled = false

function watchScrolling(onChange: () => void) {
  const measure = () => {
    const was = isScrolled
    isScrolled = window.scrollY > topPx
    if (isScrolled !== was) onChange()
  }
  measure()
  window.addEventListener('scroll', measure, { passive: true })
  return () => window.removeEventListener('scroll', measure)
}
