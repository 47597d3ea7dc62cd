import {
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  redirect,
  useRouter,
} from '@tanstack/react-router'
import { Button, Loader } from '@mantine/core'
import { accountRoute } from './account-route.tsx'
import { authenticationRoutes } from './authentication-routes.tsx'
import { consoleRoutes } from './console-routes.tsx'
import { rootRoute } from './root-route.tsx'
import { parseSearch, stringifySearch } from './search.ts'
import { text } from '../text/sign-in-text.ts'
import styles from './plain-page.module.css'
import { isUnreachable } from '../session/refusals.ts'

const index = createRoute({ getParentRoute: () => rootRoute, path: '/', beforeLoad: goHome })
const unknown = createRoute({ getParentRoute: () => rootRoute, path: '$', beforeLoad: goHome })
/** The page of a guest's link, who has no session. */
const guest = createRoute({
  getParentRoute: () => rootRoute,
  path: '/guest',
  component: lazyRouteComponent(() => import('../guest/guest-page.tsx'), 'GuestPage'),
})
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
    guest,
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

/** A user who turns out to belong to an account, or is not signed in, takes the usual way. */
async function staysWithoutAccount() {
  const { resolveAccount } = await import('./resolve-account.ts')
  const { outcome } = await resolveAccount('null')
  if (outcome !== 'no_account') goHome()
}

function goHome() {
  throw redirect({ to: '/$account/sites', params: { account: 'null' }, replace: true })
}

/** Shown while a screen takes long to load. */
function RoutePending() {
  return (
    <div className={styles.page} role="status" aria-label={text('loading')}>
      <Loader size="sm" />
    </div>
  )
}

/** A whole screen that failed to load, with Retry. */
function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <div className={styles.page} role="alert">
      <h1>{text('error.load')}</h1>
      <p>{isUnreachable(error) ? text('error.unreachable') : text('error.unknown')}</p>
      <Button
        onClick={() => {
          reset()
          void router.invalidate()
        }}
      >
        {text('action.retry')}
      </Button>
    </div>
  )
}
