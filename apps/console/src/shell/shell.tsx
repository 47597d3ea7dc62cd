import { ActionIcon, Drawer } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { text } from '../text/text.ts'
import { ToastStack } from '../parts/toast-stack.tsx'
import { AccountImage } from './account-image.tsx'
import { AccountSwitcher } from './account-switcher.tsx'
import { Footer } from './footer.tsx'
import { Navigation } from './navigation.tsx'
import { QuickKeys } from './quick-keys.tsx'
import styles from './shell.module.css'
import { UserMenu } from './user-menu.tsx'

/** The main layout of the console: sidebar, top bar, the screen, footer. On small screens the sidebar is a drawer. */
export function Shell({ notifications, children }: { notifications: ReactNode; children: ReactNode }) {
  const [isNavigationOpen, navigation] = useDisclosure(false)
  const isNarrow = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false })

  return (
    <div className={styles.app}>
      <a className={styles.skip} href="#content">
        {text('shell.skip')}
      </a>
      <header className={styles.top}>
        <div className={styles.brand}>
          <AccountImage />
        </div>
        {isNarrow && (
          <ActionIcon
            aria-label={text('shell.openNavigation')}
            aria-expanded={isNavigationOpen}
            onClick={navigation.open}
          >
            <IconMenu2 size={18} />
          </ActionIcon>
        )}
        <AccountSwitcher />
        <div className={styles.right}>
          <QuickKeys />
          {notifications}
          <UserMenu />
        </div>
      </header>
      {isNarrow ? (
        <Drawer
          opened={isNavigationOpen}
          onClose={navigation.close}
          position="left"
          size={264}
          title={<AccountImage />}
          closeButtonProps={{ 'aria-label': text('shell.closeNavigation') }}
        >
          <Navigation onNavigate={navigation.close} />
        </Drawer>
      ) : (
        <div className={styles.side}>
          <Navigation />
          <Footer />
        </div>
      )}
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      {isNarrow && <Footer />}
      <ToastStack />
    </div>
  )
}
