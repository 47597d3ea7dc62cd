import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Navigation } from './navigation.tsx'
import styles from './shell.module.css'
import { useSidebarState } from './sidebar-state.ts'

export const sidebarId = 'sidebar'

/** Where a low window had scrolled the entries to: another account begins there, too. */
let lastTopPx = 0

/** The entries beside the screen, with the footer below them where there is room for its words. */
export function Sidebar({ children }: { children: ReactNode }) {
  const { isCollapsed } = useSidebarState()
  const box = useRef<HTMLDivElement>(null)
  const router = useRouter()
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = lastTopPx
    showCurrent(box.current)
    return router.subscribe('onRendered', () => showCurrent(box.current))
  }, [router])
  return (
    <div
      ref={box}
      id={sidebarId}
      className={styles.side}
      onScroll={({ currentTarget }) => {
        lastTopPx = currentTarget.scrollTop
      }}
    >
      <Navigation form={isCollapsed ? 'icons' : 'whole'} />
      {children}
    </div>
  )
}

/** Brings the entry where one is into a low sidebar, and moves nothing else. */
function showCurrent(box: HTMLElement | null) {
  const entry = box?.querySelector('[aria-current="page"]')?.getBoundingClientRect()
  if (!box || !entry) return
  const { top, bottom } = box.getBoundingClientRect()
  if (entry.top < top) box.scrollTop -= top - entry.top
  if (entry.bottom > bottom) box.scrollTop += entry.bottom - bottom
}
