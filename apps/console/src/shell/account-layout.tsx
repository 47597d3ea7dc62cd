import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ExportTray } from '../list/export/export-tray.tsx'
import { LiveProvider } from '../live/live-context.tsx'
import { isConsentValid } from '../session/consent.ts'
import { IdleGuard } from '../idle/idle-guard.tsx'
import { configurationQuery, meQuery } from '../session/me-query.ts'
import { isForbidden } from '../session/refusals.ts'
import { SessionProvider, useSession } from '../session/session-context.tsx'
import { useFollowedRights } from './use-followed-rights.ts'
import { useOtherTabs } from '../session/use-other-tabs.ts'
import { UpdatedPolicies } from '../session/updated-policies.tsx'
import { BelowActingBanner } from '../acting/acting-banner.tsx'
import { Shell } from './shell.tsx'

const route = getRouteApi('/$account')

/** The console inside an account: the session, kept fresh, the real-time channel, and the shell around the screen. */
export function AccountLayout({ notifications }: { notifications: ReactNode }) {
  const { session } = route.useRouteContext()
  const { data, error } = useQuery(meQuery(session.account.ref))
  const current = data?.account?.ref === session.account.ref ? { ...data, account: data.account } : session
  const { data: configuration } = useSuspenseQuery(configurationQuery)
  const { policyUpdated } = configuration
  const { user } = current
  useOtherTabs(user)
  useFollowedRights({ session: current, isRefused: isForbidden(error) || data?.account === null })
  return (
    <SessionProvider session={current}>
      <IdleGuard idleTimeS={user.idleTime} />
      {isConsentValid(user.consent, policyUpdated) ? (
        <Console notifications={notifications} />
      ) : (
        <UpdatedPolicies policyUpdated={policyUpdated} />
      )}
    </SessionProvider>
  )
}

function Console({ notifications }: { notifications: ReactNode }) {
  const { account } = useSession()
  return (
    <LiveProvider>
      <BelowActingBanner>
        <Shell key={account.ref} notifications={notifications}>
          <Outlet />
        </Shell>
      </BelowActingBanner>
      <ExportTray />
    </LiveProvider>
  )
}
