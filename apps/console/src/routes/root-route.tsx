import { createRootRoute, Outlet } from '@tanstack/react-router'
import { CookieBanner } from '../cookies/cookie-banner.tsx'
import { validateSearch } from './search.ts'

export const rootRoute = createRootRoute({ validateSearch, component: Root })

function Root() {
  return (
    <>
      <Outlet />
      <CookieBanner />
    </>
  )
}
