import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { LoginPage } from '../sign-in/login-page.tsx'
import { useSignedInElsewhere } from '../session/use-signed-in-elsewhere.ts'
import { authenticationPath, type Entered, homeOf } from './authentication-paths.ts'
import { rootRoute } from './root-route.tsx'
import { useOpenTarget } from './use-open-target.ts'

const passwordReset = lazyRouteComponent(() => import('../sign-in/password-reset-page.tsx'), 'PasswordResetPage')
const newPassword = lazyRouteComponent(() => import('../sign-in/new-password-page.tsx'), 'NewPasswordPage')
const emailConfirm = lazyRouteComponent(() => import('../sign-in/email-confirm-page.tsx'), 'EmailConfirmPage')
const invitation = lazyRouteComponent(() => import('../sign-in/invitation-page.tsx'), 'InvitationPage')
const lock = lazyRouteComponent(() => import('./authentication-pages.tsx'), 'LockScreen')
const emailRequest = lazyRouteComponent(() => import('./authentication-pages.tsx'), 'EmailRequestScreen')

/** The sign-in pages, at the root and inside an account (specification §2). */
export const authenticationRoutes = [
  ...page({ name: 'login', component: LoginScreen }),
  ...page({ name: 'lock', component: lock, beforeLoad: hasPerson }),
  ...page({ name: 'password-reset', component: passwordReset }),
  ...page({ name: 'password-reset/$userId/$token', component: newPassword }),
  ...page({ name: 'email-confirm/$userId/$token', component: emailConfirm }),
  ...page({ name: 'invitation', component: invitation }),
  ...page({ name: 'email-request', component: emailRequest, beforeLoad: isUnverified }),
  ...(['/authentication', '/authentication/$'] as const).map((path) =>
    createRoute({
      getParentRoute: () => rootRoute,
      path,
      beforeLoad: () => {
        throw redirect({ to: '/authentication/login', replace: true })
      },
    }),
  ),
  ...(['/$account/authentication', '/$account/authentication/$'] as const).map((path) =>
    createRoute({
      getParentRoute: () => rootRoute,
      path,
      beforeLoad: ({ params: { account } }) => {
        throw redirect({ to: '/$account/authentication/login', params: { account }, replace: true })
      },
    }),
  ),
] as const

type Page<N extends string> = {
  name: N
  component: typeof LoginScreen | ReturnType<typeof lazyRouteComponent>
  beforeLoad?: (entered: Entered) => Promise<void>
}

function page<const N extends string>({ name, component, beforeLoad }: Page<N>) {
  const options = { component, ...(beforeLoad ? { beforeLoad } : {}) }
  const path = `/authentication/${name}` as const
  const inAccount = `/$account/authentication/${name}` as const
  return [
    createRoute({ getParentRoute: () => rootRoute, path, ...options }),
    createRoute({ getParentRoute: () => rootRoute, path: inAccount, ...options }),
  ] as const
}

/** Without a remembered user the lock screen is the login. */
async function hasPerson(entered: Entered) {
  const { enterLock } = await import('../session/screen-lock.ts')
  if (!(await enterLock())) throw redirect({ href: authenticationPath('login', entered), replace: true })
}

/** Only signed-in users can have a mail sent, and only those with an unconfirmed email need one. */
async function isUnverified(entered: Entered) {
  const { findUser } = await import('../session/me-query.ts')
  const user = await findUser()
  if (!user) throw redirect({ href: authenticationPath('login', entered), replace: true })
  if (user.verified) throw redirect({ href: homeOf(entered), replace: true })
}

function LoginScreen() {
  const openTarget = useOpenTarget()
  useSignedInElsewhere(() => void openTarget('home', { reloadDocument: true }))
  return <LoginPage onSignedIn={openTarget} />
}
