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
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = lastTopPx
  }, [])
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
