import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Screen } from '../ui/screen.tsx'
import { type SettingsTab, settingsTab } from '../navigation/settings-tab.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { OtherUser } from './other-user.tsx'
import { OwnMfa } from './own-mfa.tsx'
import { OwnPassword } from './own-password.tsx'
import { OwnProfile } from './own-profile.tsx'
import { freshMeQuery } from './own-queries.ts'
import { OwnSessions } from './own-sessions.tsx'
import { SettingsNav } from './settings-nav.tsx'

/** One's own settings; with `?user={_id}`, how another signs in, for who may manage users. */
export function SettingsScreen() {
  const { user } = useSession()
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const { user: other, tab } = search
  return (
    <ConfirmIdentity>
      {other === undefined || other === user._id ? <OwnSettings tab={settingsTab(tab)} /> : <OtherUser id={other} />}
    </ConfirmIdentity>
  )
}

function OwnSettings({ tab }: { tab: SettingsTab }) {
  const { account } = useSession()
  useQuery(freshMeQuery(account.ref))
  return (
    <Screen title={text('settings.title')} beside={<SettingsNav current={tab} />}>
      {tab === 'profile' && <OwnProfile />}
      {tab === 'password' && <OwnPassword />}
      {tab === 'mfa' && <OwnMfa />}
      {tab === 'sessions' && <OwnSessions />}
    </Screen>
  )
}
