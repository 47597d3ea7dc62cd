import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { logOut } from '../session/log-out.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { initialsOf } from './initials.ts'
import styles from './user-menu.module.css'

const schemes = ['auto', 'light', 'dark'] as const

/** Who is signed in, how the console looks, and the way out. */
export function UserMenu() {
  const { user } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()

  return (
    <Menu width={248}>
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
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden="true" />} onClick={() => void logOut()}>
          {text('shell.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
