import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconLock, IconLogout, IconMail, IconSettings, IconUser } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { actingInside } from '../session/acting-inside.ts'
import { lockScreen } from '../session/screen-lock.ts'
import { logOut } from '../session/log-out.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { initialsOf } from '../ui/initials.ts'
import styles from './user-menu.module.css'

const schemes = ['auto', 'light', 'dark'] as const

/** The signed-in user, their settings, the appearance of the console, and the ways out. */
export function UserMenu() {
  const { user, account } = useSession()
  const router = useRouter()
  const { colorScheme, setColorScheme } = useMantineColorScheme()

  return (
    <Menu width={248} withinPortal={false}>
      <Menu.Target>
        <button
          type="button"
          className={styles.me}
          aria-label={text('shell.userMenu')}
          data-initials={user.img ? undefined : initialsOf(user.name)}
        >
          {user.img && <img src={user.img} alt="" />}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.who}>
          <b>{user.name}</b>
          <span className="second">{user.email}</span>
        </div>
        <Menu.Divider />
        <MenuLink href={`/${account.ref}/users/settings`} leftSection={<IconUser size={16} aria-hidden="true" />}>
          {text('userMenuEntries.profile')}
        </MenuLink>
        <MenuLink
          href={`/${account.ref}/users/settings?tab=password`}
          leftSection={<IconSettings size={16} aria-hidden="true" />}
        >
          {text('userMenuEntries.settings')}
        </MenuLink>
        {user.hyper && (
          <MenuLink href={`/${account.ref}/outbox`} leftSection={<IconMail size={16} aria-hidden="true" />}>
            {text('outbox.title')}
          </MenuLink>
        )}
        <Menu.Divider />
        <Menu.Label>{text('shell.appearance')}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(schemes.find((scheme) => scheme === value) ?? 'auto')}
        >
          {schemes.map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick={false}>
              {text(`shell.${scheme}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLock size={16} aria-hidden="true" />}
          onClick={() => lockScreen(user, actingInside()?.back ?? router.state.location.href)}
        >
          {text('userMenuEntries.lock')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden="true" />} onClick={() => void logOut()}>
          {text('shell.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function MenuLink({ href, leftSection, children }: { href: string; leftSection: ReactNode; children: ReactNode }) {
  const router = useRouter()
  return (
    <Menu.Item
      component="a"
      href={href}
      leftSection={leftSection}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        void router.navigate({ href })
      }}
    >
      {children}
    </Menu.Item>
  )
}
