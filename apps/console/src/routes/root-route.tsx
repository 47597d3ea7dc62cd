import { createRootRoute, Outlet, useLocation } from '@tanstack/react-router'
import { CookieBanner } from '../cookies/cookie-banner.tsx'
import { validateSearch } from './search.ts'

export const rootRoute = createRootRoute({ validateSearch, component: Root })

/** The guest's page keeps nothing in the browser, so it does not ask. */
function Root() {
  const isGuest = useLocation({ select: ({ pathname }) => pathname === '/guest' })
  return (
    <>
      <Outlet />
      {!isGuest && <CookieBanner />}
    </>
  )
}
