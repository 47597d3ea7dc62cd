import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { ExportTray } from '../collection/export-tray.tsx'
import { LiveProvider } from '../live/live-context.tsx'
import { meQuery } from '../session/me-query.ts'
import { SessionProvider } from '../session/session-context.tsx'
import { Shell } from './shell.tsx'

const route = getRouteApi('/$account')

/** The console inside an account: the session, kept fresh, the real-time channel, and the shell around the screen. */
export function AccountLayout() {
  const { session } = route.useRouteContext()
  const { data } = useQuery(meQuery(session.account.ref))
  const current = data?.account?.ref === session.account.ref ? { ...data, account: data.account } : session
  return (
    <SessionProvider session={current}>
      <LiveProvider>
        <Shell key={current.account.ref}>
          <Outlet />
        </Shell>
        <ExportTray />
      </LiveProvider>
    </SessionProvider>
  )
}
