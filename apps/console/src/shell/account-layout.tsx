import { DirectionProvider } from '@mantine/core'
import { direction } from '../text/language.ts'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { ExportTray } from '../list/export/export-tray.tsx'
import { LiveProvider } from '../live/live-context.tsx'
import { ConfirmIdentity } from '../session/confirm-identity.tsx'
import { isConsentValid } from '../session/consent.ts'
import { IdleGuard } from '../idle/idle-guard.tsx'
import { configurationQuery } from '../session/configuration-query.ts'
import { meQuery } from '../session/me-query.ts'
import { isForbidden } from '../session/refusals.ts'
import { type Session, SessionProvider, useSession } from '../session/session-context.tsx'
import { useOtherTabs } from '../session/use-other-tabs.ts'
import { UpdatedPolicies } from '../session/updated-policies.tsx'
import { BelowActingBanner } from './acting-banner.tsx'
import { Shell } from './shell.tsx'
import { LockdownBanner } from '../lockdowns/lockdown-banner.tsx'
import { LockdownControl } from '../lockdowns/lockdown-control.tsx'
import { Notifications } from '../tasks/notifications.tsx'
import { toast } from '../ui/toasts.ts'
import { text } from '../text/text.ts'
import { actingInside, reachAccount } from '../session/acting-inside.ts'
import { forgetUnseen } from '../session/forget-unseen.ts'

const route = getRouteApi('/$account')

/** The console inside an account: the session, kept fresh, the real-time channel, and the shell around the screen. */
export function AccountLayout() {
  const { session } = route.useRouteContext()
  const { data, error } = useQuery(meQuery(session.account.ref))
  const current = data?.account?.ref === session.account.ref ? { ...data, account: data.account } : session
  const { data: configuration } = useSuspenseQuery(configurationQuery)
  const { policyUpdated } = configuration
  const { user } = current
  useOtherTabs(user)
  useEffect(() => reachAccount(session.account.ref), [session.account.ref])
  useFollowedRights({ session: current, isRefused: isForbidden(error) || data?.account === null })
  return (
    <DirectionProvider initialDirection={direction} detectDirection={false}>
      <SessionProvider session={current}>
        <IdleGuard idleTimeS={user.idleTime} />
        {isConsentValid(user.consent, policyUpdated) ? <Console /> : <UpdatedPolicies policyUpdated={policyUpdated} />}
      </SessionProvider>
    </DirectionProvider>
  )
}

function Console() {
  const { account } = useSession()
  return (
    <LiveProvider>
      <BelowActingBanner>
        <Shell key={account.ref} controls={[<LockdownControl key="lockdown" />, <Notifications key="notifications" />]}>
          <LockdownBanner />
          <Outlet />
        </Shell>
      </BelowActingBanner>
      <ExportTray />
      <ConfirmIdentity />
    </LiveProvider>
  )
}

type UseFollowedRightsInput = { session: Session; isRefused: boolean }

/**
 * Follows the user's rights in the current account: when they change, data that may no longer be
 * seen is removed, the permission of the screen is checked again, and a message says why. Menus and
 * buttons follow by themselves. `isRefused`: the user can no longer enter the account; they land in another one, or in none.
 */
function useFollowedRights({ session, isRefused }: UseFollowedRightsInput) {
  const { account } = session
  const router = useRouter()
  const queryClient = useQueryClient()
  const rights = JSON.stringify(session.rules)
  const lastRights = useRef({ ref: account.ref, rights })
  const lost = useRef<string>(undefined)
  // A user who acts inside returns automatically, with a notice.
  const isLost = isRefused && actingInside() === undefined
  const dismiss = useRef<() => void>(undefined)
  const say = (sentence: string) => {
    dismiss.current?.()
    dismiss.current = toast({ text: sentence, tone: 'note' })
  }
  const follow = useEffectEvent(() => {
    forgetUnseen(queryClient, session)
    say(text('rights.changed'))
    void router.invalidate()
  })
  const notifyLost = useEffectEvent(() => {
    // It is requested more than once until they are redirected.
    if (lost.current === account.ref) return
    lost.current = account.ref
    say(text('rights.lost', { account: account.name }))
    void router.invalidate()
  })

  useEffect(() => {
    const before = lastRights.current
    lastRights.current = { ref: account.ref, rights }
    if (before.ref !== account.ref) lost.current = undefined
    else if (before.rights !== rights) follow()
  }, [account.ref, rights])

  useEffect(() => {
    if (isLost) notifyLost()
  }, [isLost])
}
