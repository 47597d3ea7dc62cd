import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { accountRoute } from './account-route.tsx'
import { authenticationRoutes } from './authentication-routes.tsx'
import { consoleRoutes } from './console-routes.tsx'
import { RouteError } from './route-error.tsx'
import { RoutePending } from './route-pending.tsx'
import { rootRoute } from './root-route.tsx'
import { parseSearch, stringifySearch } from './search.ts'

const index = createRoute({ getParentRoute: () => rootRoute, path: '/', beforeLoad: goHome })
const unknown = createRoute({ getParentRoute: () => rootRoute, path: '$', beforeLoad: goHome })
const noAccount = createRoute({
  getParentRoute: () => rootRoute,
  path: '/no-account',
  beforeLoad: staysWithoutAccount,
  component: lazyRouteComponent(() => import('./no-account.tsx'), 'NoAccount'),
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    index,
    noAccount,
    ...authenticationRoutes,
    accountRoute.addChildren([...consoleRoutes]),
    unknown,
  ]),
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultErrorComponent: RouteError,
  defaultPendingComponent: RoutePending,
  defaultPendingMs: 400,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Who belongs to an account after all, or is not signed in, goes the way of everybody. */
async function staysWithoutAccount() {
  const { resolveAccount } = await import('./resolve-account.ts')
  const { outcome } = await resolveAccount('null')
  if (outcome !== 'no_account') goHome()
}

function goHome() {
  throw redirect({ to: '/$account/sites', params: { account: 'null' }, replace: true })
}
