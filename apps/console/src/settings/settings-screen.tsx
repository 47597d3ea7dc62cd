import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { VisuallyHidden } from '@mantine/core'
import { IconCrown } from '@tabler/icons-react'
import { Screen } from '../ui/screen.tsx'
import { type SettingsTab, settingsTab, settingsTabs } from '../navigation/settings-tab.ts'
import { useAccount, useSession } from '../session/session-context.tsx'
import { policyUrl } from '../text/language.ts'
import { text } from '../text/text.ts'
import { OtherUser } from './other-user.tsx'
import { OwnMfa } from './own-mfa.tsx'
import { OwnPassword } from './own-password.tsx'
import { freshMeQuery, ownSessionsQuery } from './own-queries.ts'
import { OwnEmail } from './own-email.tsx'
import { OwnInvitations } from './own-invitations.tsx'
import { OwnLanguage } from './own-language.tsx'
import { OwnIdleTime } from './own-idle-time.tsx'
import { OwnName } from './own-name.tsx'
import { SettingsPanel, SettingsSection } from './settings-section.tsx'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { ConfirmingButton } from './confirming-button.tsx'
import { SessionList } from './session-list.tsx'
import { SignInHistory } from './sign-in-history.tsx'
import { TextWith } from '../ui/text-with.tsx'
import { Time } from '../time/time.tsx'
import { policies } from '../session/consent.ts'
import styles from './settings-rows.module.css'
import { SomeFirst } from './some-first.tsx'
import nav from './settings-nav.module.css'

/** The user's own settings; with `?user={_id}`, the sign-in of another user, for users who may manage users. */
export function SettingsScreen() {
  const { user } = useSession()
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const { user: other, tab } = search
  return other === undefined || other === user._id ? <OwnSettings tab={settingsTab(tab)} /> : <OtherUser id={other} />
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

/** The user's profile. */
function OwnProfile() {
  return (
    <SettingsPanel>
      <OwnInvitations />
      <OwnName />
      <OwnEmail />
      <OwnLanguage />
      <OwnAccounts />
      <OwnIdleTime />
      <OwnConsent />
    </SettingsPanel>
  )
}

/** The user's sessions, and the sign-in attempts. */
function OwnSessions() {
  const sessions = useQuery(ownSessionsQuery)
  const queryClient = useQueryClient()
  const otherSessions = sessions.data?.filter(({ current }) => !current) ?? []
  return (
    <SettingsPanel>
      <SettingsSection title={text('settings.sessions.title')} hint={text('settings.sessions.hint')}>
        {sessions.isPending && <SkeletonRows count={2} />}
        {sessions.isError && !sessions.data && (
          <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />
        )}
        {sessions.data && <SessionList sessions={sessions.data} />}
        {sessions.data && otherSessions.length === 0 && <p className="soft">{text('settings.sessions.onlyHere')}</p>}
        {otherSessions.length > 0 && (
          <ConfirmingButton
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

/** The accepted policies, and when. */
function OwnConsent() {
  const { user } = useSession()
  return (
    <SettingsSection title={text('settings.consent.title')} hint={text('settings.consent.hint')}>
      <ul className={styles.rows}>
        {policies.map((policy) => (
          <li key={policy}>
            <a className={styles.main} href={policyUrl(policy)} target="_blank" rel="noopener">
              {text(`policies.${policy}`)}
              <VisuallyHidden>{` (${text('settings.newTab')})`}</VisuallyHidden>
            </a>
            <span className={styles.aside}>
              {user.consent[policy] ? (
                <>
                  <TextWith of="settings.consent.accepted" values={{ time: <Time at={user.consent[policy]} /> }} />
                </>
              ) : (
                text('settings.consent.notAccepted')
              )}
            </span>
          </li>
        ))}
      </ul>
    </SettingsSection>
  )
}

/** The user's roles by account: others assign them. */
function OwnAccounts() {
  const { user, account } = useSession()
  return (
    <SettingsSection title={text('settings.accounts.title')} hint={text('settings.accounts.hint')}>
      {user.hyper && (
        <p className={styles.note}>
          <IconCrown size={16} stroke={1.8} aria-hidden="true" />
          {text('settings.accounts.hyper')}
        </p>
      )}
      {user.accounts.length === 0 && !user.hyper && <p className="soft">{text('settings.accounts.none')}</p>}
      {user.accounts.length > 0 && (
        <SomeFirst of={user.accounts} most={8}>
          {(accounts) => (
            <ul className={styles.rows}>
              {accounts.map(({ ref, name, role }) => (
                <li key={ref}>
                  <span className={styles.main}>
                    <AccountLink accountRef={ref} name={name} />
                    {ref === account.ref && <span className={styles.mark}>{text('settings.accounts.current')}</span>}
                  </span>
                  <span>{text(`users.roles.${role}`)}</span>
                </li>
              ))}
            </ul>
          )}
        </SomeFirst>
      )}
    </SettingsSection>
  )
}

function AccountLink({ accountRef, name }: { accountRef: string; name: string }) {
  const to: string = `/${accountRef}/sites`
  return (
    <Link to={to}>
      <bdi>{name}</bdi>
    </Link>
  )
}

/** The tabs of the user's own settings, each with its own address. */
function SettingsNav({ current }: { current: SettingsTab }) {
  const { ref } = useAccount()
  const to: string = `/${ref}/users/settings`
  return (
    <nav className={nav.tabs} aria-label={text('settings.title')}>
      {settingsTabs.map((tab) => (
        <Link key={tab} to={to} search={{ tab }} aria-current={tab === current ? 'page' : undefined}>
          {text(`settings.tabs.${tab}`)}
        </Link>
      ))}
    </nav>
  )
}
