import { createRoute, lazyRouteComponent, redirect, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { LoginPage } from '../session/login-page.tsx'
import { safeReturnUrl } from '../session/return-url.ts'
import { rootRoute } from './root-route.tsx'

const login = createRoute({ getParentRoute: () => rootRoute, path: '/authentication/login', component: LoginScreen })

const accountLogin = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$account/authentication/login',
  component: LoginScreen,
})

const passwordReset = createRoute({
  getParentRoute: () => rootRoute,
  path: '/authentication/password-reset',
  component: lazyRouteComponent(() => import('../session/password-reset-page.tsx'), 'PasswordResetPage'),
})

const accountPasswordReset = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$account/authentication/password-reset',
  component: lazyRouteComponent(() => import('../session/password-reset-page.tsx'), 'PasswordResetPage'),
})

const newPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/authentication/password-reset/$userId/$token',
  component: lazyRouteComponent(() => import('../session/new-password-page.tsx'), 'NewPasswordPage'),
})

const accountNewPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$account/authentication/password-reset/$userId/$token',
  component: lazyRouteComponent(() => import('../session/new-password-page.tsx'), 'NewPasswordPage'),
})

const authentication = createRoute({
  getParentRoute: () => rootRoute,
  path: '/authentication',
  beforeLoad: () => {
    throw redirect({ to: '/authentication/login', replace: true })
  },
})

const accountAuthentication = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$account/authentication',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$account/authentication/login', params, replace: true })
  },
})

/** The sign-in pages, at the root and inside an account. */
export const authenticationRoutes = [
  login,
  accountLogin,
  passwordReset,
  accountPasswordReset,
  newPassword,
  accountNewPassword,
  authentication,
  accountAuthentication,
]

function LoginScreen() {
  const { account = 'null' } = useParams({ strict: false })
  const { returnUrl } = useSearch({ from: '__root__' })
  const navigate = useNavigate()
  return (
    <LoginPage onSignedIn={() => navigate({ href: safeReturnUrl(returnUrl) ?? `/${account}/sites`, replace: true })} />
  )
}
