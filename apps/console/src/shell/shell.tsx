import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ToastStack } from '../ui/toast-stack.tsx'
import { text } from '../text/text.ts'
import { AccountImage } from './account-image.tsx'
import { AccountSwitcher } from './account-switcher.tsx'
import { Arrival } from './arrival.tsx'
import { Footer } from './footer.tsx'
import { NavigationDrawer } from './navigation-drawer.tsx'
import { QuickKeys } from './quick-keys.tsx'
import { Sidebar } from './sidebar.tsx'
import { useSidebarState } from './sidebar-state.ts'
import { SidebarToggle } from './sidebar-toggle.tsx'
import styles from './shell.module.css'
import { useKeptPlace } from './use-kept-place.ts'
import { UserMenu } from './user-menu.tsx'

/** The main layout of the console: sidebar, top bar, the screen, footer. On small screens the sidebar is a drawer. */
export function Shell({ notifications, children }: { notifications: ReactNode; children: ReactNode }) {
  const isNarrow = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false })
  const { isCollapsed } = useSidebarState()
  useKeptPlace()
  const form = isCollapsed ? 'icons' : 'whole'

  return (
    <div className={styles.app} data-side={form}>
      <a className={styles.skip} href="#content">
        {text('shell.skip')}
      </a>
      <header className={styles.top}>
        <div className={styles.brand}>
          <AccountImage form={isCollapsed ? 'icon' : 'whole'} />
        </div>
        {isNarrow ? <NavigationDrawer /> : <SidebarToggle />}
        <AccountSwitcher />
        <div className={styles.right}>
          <QuickKeys />
          {notifications}
          <UserMenu />
        </div>
      </header>
      {!isNarrow && <Sidebar>{!isCollapsed && <Footer />}</Sidebar>}
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      {(isNarrow || isCollapsed) && <Footer />}
      <Arrival />
      <ToastStack />
    </div>
  )
}
