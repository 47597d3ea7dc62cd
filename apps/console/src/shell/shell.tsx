import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { ToastStack } from '../ui/toast-stack.tsx'
import { text } from '../text/text.ts'
import { AccountImage } from './account-image.tsx'
import { AccountSwitcher } from './account-switcher.tsx'
import { Footer } from './footer.tsx'
import { drawerMark, NavigationDrawer } from './navigation-drawer.tsx'
import { QuickKeys } from './quick-keys.tsx'
import { Sidebar, sidebarId } from './sidebar.tsx'
import { toggleSidebar, useSidebarState } from './sidebar-state.ts'
import styles from './shell.module.css'
import { useKeptPlace } from './use-kept-place.ts'
import { UserMenu } from './user-menu.tsx'
import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useAccount } from '../session/session-context.tsx'

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

/** Brings the sidebar down to its icons, and back. */
function SidebarToggle() {
  const { isCollapsed } = useSidebarState()
  const label = text(isCollapsed ? 'shell.expandNavigation' : 'shell.collapseNavigation')
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-expanded={!isCollapsed}
        aria-controls={sidebarId}
        onClick={toggleSidebar}
      >
        {isCollapsed ? <IconLayoutSidebarLeftExpand size={18} /> : <IconLayoutSidebarLeftCollapse size={18} />}
      </ActionIcon>
    </Tooltip>
  )
}

/** Who comes to another screen finds the focus there, and hears where they are: a browser does both only where it loads a page. */
function Arrival() {
  const router = useRouter()
  const { name } = useAccount()
  const [title, setTitle] = useState('')
  useLayoutEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return
        focusScreen()
        // In another account the same screen has the same title.
        setTitle(document.title)
      }),
    [router],
  )
  useEffect(() => {
    const observer = new MutationObserver((changes) => {
      if (changes.some(isOfTitle)) setTitle(document.title)
    })
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [])
  return <VisuallyHidden role="status">{title && text('shell.arrived', { title, account: name })}</VisuallyHidden>
}

/** A screen that has taken the focus itself keeps it, and so does a dialog that stays over it. */
function focusScreen() {
  const main = document.getElementById('content')
  const focused = document.activeElement
  const dialog = focused?.closest('[role="dialog"]')
  if (main?.contains(focused ?? null) || (dialog && !dialog.closest(`[${drawerMark}]`))) return
  main?.focus({ preventScroll: true })
}

function isOfTitle({ target, addedNodes }: MutationRecord) {
  return [target, target.parentNode, ...addedNodes].some((node) => node instanceof HTMLTitleElement)
}
