import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Screen } from '../ui/screen.tsx'
import { type SettingsTab, settingsTab } from '../navigation/settings-tab.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { OtherUser } from './other-user.tsx'
import { OwnMfa } from './own-mfa.tsx'
import { OwnPassword } from './own-password.tsx'
import { freshMeQuery, ownSessionsQuery } from './own-queries.ts'
import { SettingsNav } from './settings-nav.tsx'
import { OwnAccounts } from './own-accounts.tsx'
import { OwnConsent } from './own-consent.tsx'
import { OwnEmail } from './own-email.tsx'
import { OwnIdleTime } from './own-idle-time.tsx'
import { OwnName } from './own-name.tsx'
import { SettingsPanel, SettingsSection } from './settings-section.tsx'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { AskingButton } from './asking-button.tsx'
import { SessionList } from './session-list.tsx'
import { SignInHistory } from './sign-in-history.tsx'

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

/** Who one is here. */
function OwnProfile() {
  return (
    <SettingsPanel>
      <OwnName />
      <OwnEmail />
      <OwnAccounts />
      <OwnIdleTime />
      <OwnConsent />
    </SettingsPanel>
  )
}

/** Where one is signed in, and where it was tried. */
function OwnSessions() {
  const sessions = useQuery(ownSessionsQuery)
  const queryClient = useQueryClient()
  const others = sessions.data?.filter(({ current }) => !current) ?? []
  return (
    <SettingsPanel>
      <SettingsSection title={text('settings.sessions.title')} hint={text('settings.sessions.hint')}>
        {sessions.isPending && <SkeletonRows count={2} />}
        {sessions.isError && !sessions.data && (
          <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />
        )}
        {sessions.data && <SessionList sessions={sessions.data} />}
        {sessions.data && others.length === 0 && <p className="soft">{text('settings.sessions.onlyHere')}</p>}
        {others.length > 0 && (
          <AskingButton
            label={text('settings.sessions.endOthers')}
            title={text('settings.sessions.endOthersTitle')}
            hint={text('settings.sessions.endOthersHint')}
            tone="danger"
            act={() => client.sessions.endOthers()}
            onDone={({ ended }) => {
              void queryClient.invalidateQueries(ownSessionsQuery)
              toast({ text: text('settings.sessions.endedOthers', { count: ended }) })
            }}
          />
        )}
      </SettingsSection>
      <SignInHistory />
    </SettingsPanel>
  )
}
