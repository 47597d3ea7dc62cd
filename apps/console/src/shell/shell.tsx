import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ActionIcon, Drawer, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconMenu2 } from '@tabler/icons-react'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useSuspenseQuery } from '@tanstack/react-query'
import { ToastStack } from '../ui/toast-stack.tsx'
import { policyUrl } from '../text/language.ts'
import { text } from '../text/text.ts'
import { AccountImage } from './account-image.tsx'
import { AccountSwitcher } from './account-switcher.tsx'
import { QuickKeys } from './quick-keys.tsx'
import { toggleSidebar, useSidebarState } from './sidebar-state.ts'
import styles from './shell.module.css'
import { useScrollPosition } from './use-scroll-position.ts'
import { UserMenu } from './user-menu.tsx'
import { useAccount } from '../session/session-context.tsx'
import { Navigation } from './navigation.tsx'
import { askAboutCookies } from '../cookies/cookie-consent.ts'
import { configurationQuery } from '../session/configuration-query.ts'
import footer from './footer.module.css'

/** Distinguishes this drawer, which closes on navigation, from dialogs that stay. */
const drawerMark = 'data-navigation'

const sidebarId = 'sidebar'

const policies = ['eula', 'privacy', 'terms', 'disclaimer'] as const

/** The scroll position of the entries in a low window: kept when the account changes. */
let lastTopPx = 0

/** The main layout of the console: sidebar, top bar, the screen, footer. On small screens the sidebar is a drawer. */
export function Shell({ controls, children }: { controls: ReactNode; children: ReactNode }) {
  const isNarrow = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false })
  const { isCollapsed } = useSidebarState()
  useScrollPosition()
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
          {controls}
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

/** Collapses the sidebar to its icons, and expands it. */
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

/** Moves the focus to a new screen and announces it: a browser does both only where it loads a page. */
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

/** A screen that has taken the focus keeps it, and so does a dialog that stays above it. */
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

/** The sidebar of a small screen. It belongs to the address at which it was opened, and is closed at every other. */
function NavigationDrawer() {
  const { href } = useLocation()
  const [openAt, setOpenAt] = useState<string>()
  const isOpen = openAt === href
  const close = () => setOpenAt(undefined)
  return (
    <>
      <ActionIcon
        aria-label={text('shell.openNavigation')}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setOpenAt(href)}
      >
        <IconMenu2 size={18} />
      </ActionIcon>
      <Drawer
        {...{ [drawerMark]: '' }}
        opened={isOpen}
        onClose={close}
        position="left"
        size={264}
        title={<AccountImage form="whole" />}
        closeButtonProps={{ 'aria-label': text('shell.closeNavigation') }}
      >
        <Navigation form="whole" onNavigate={close} />
      </Drawer>
    </>
  )
}

/** The entries beside the screen, with the footer below them where there is room for its texts. */
function Sidebar({ children }: { children: ReactNode }) {
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

/** Scrolls only the sidebar, so that its current entry is visible in a low window. */
function showCurrent(box: HTMLElement | null) {
  const entry = box?.querySelector('[aria-current="page"]')?.getBoundingClientRect()
  if (!box || !entry) return
  const { top, bottom } = box.getBoundingClientRect()
  if (entry.top < top) box.scrollTop -= top - entry.top
  if (entry.bottom > bottom) box.scrollTop += entry.bottom - bottom
}

/** Product, version, contact, and the legal pages (specification §2). */
function Footer() {
  const { data } = useSuspenseQuery(configurationQuery)
  return (
    <footer className={footer.footer}>
      <span className={footer.version}>
        {text('shell.version', { product: text('product'), version: data.version })}
      </span>
      {data.contact && <a href={hrefOf(data.contact)}>{text('shell.contact')}</a>}
      {policies.map((policy) => (
        <a key={policy} href={policyUrl(policy)}>
          {text(`policies.${policy}`)}
        </a>
      ))}
      <button type="button" onClick={askAboutCookies}>
        {text('cookies.title')}
      </button>
    </footer>
  )
}

/** The contact in the configuration is an email address, or a page. */
function hrefOf(contact: string) {
  return /^[^\s:/]+@[^\s:/]+$/.test(contact) ? `mailto:${contact}` : contact
}
