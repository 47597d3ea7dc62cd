import { ActionIcon, Drawer } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { IconMenu2 } from '@tabler/icons-react'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { AccountImage } from './account-image.tsx'
import { Navigation } from './navigation.tsx'

/** Tells this drawer, which goes when one arrives somewhere, from dialogs that stay. */
export const drawerMark = 'data-navigation'

/** The sidebar of a small screen. It was opened at one place, and is closed at every other. */
export function NavigationDrawer() {
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
