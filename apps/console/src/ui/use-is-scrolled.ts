import { useSyncExternalStore } from 'react'

const topPx = 120

/** Whether the page is scrolled down: the user reads further below. */
export function useIsScrolled(): boolean {
  return useSyncExternalStore(watchScrolling, () => isScrolled)
}

// Read for every row that arrives, so it is measured only on scroll: measuring makes the browser lay out the page.
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
