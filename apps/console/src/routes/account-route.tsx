import type { Action, Subject } from '@portcullis/contract/abilities'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { rememberedUser } from '../session/remembered-user.ts'
import type { Session } from '../session/session-context.tsx'
import { authenticationPath } from './authentication-paths.ts'
import { rootRoute } from './root-route.tsx'

/** Everything inside an account. The account is resolved, and the session known, before any child loads. */
export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$account',
  beforeLoad: async ({ params, location }): Promise<{ session: Session }> => {
    // A user who locked the screen opens it with their password, in every tab.
    if (rememberedUser()?.isLocked) throw signInPage('lock', location.href)
    const { resolveAccount } = await import('./resolve-account.ts')
    const resolved = await resolveAccount(params.account)
    switch (resolved.outcome) {
      case 'session':
        return { session: resolved.session }
      case 'elsewhere':
        throw redirect({ href: withAccount(location.href, resolved.ref), replace: true })
      case 'signed_out':
        throw signInPage('login', location.href)
      case 'unverified':
        throw signInPage('email-request', location.href)
      case 'no_account':
        throw redirect({ to: '/no-account', replace: true })
      case 'unknown':
        throw redirect({ to: '/$account/sites', params: { account: 'null' }, replace: true })
    }
  },
  component: lazyRouteComponent(() => import('../shell/account-layout.tsx'), 'AccountLayout'),
})

function signInPage(page: 'login' | 'lock' | 'email-request', returnUrl: string) {
  return redirect({ href: authenticationPath(page, { params: {}, search: { returnUrl } }), replace: true })
}

type Gate = { context: { session: Session } }

/** A permission before a screen: users without it are sent to the events of the account (specification §2). */
export function needs(action: Action, subject: Subject) {
  return async ({ context }: Gate) => {
    const { isAllowed } = await import('@portcullis/contract/abilities')
    if (isAllowed(context.session.rules, { action, subject })) return
    throw redirect({ href: `/${context.session.account.ref}/events/list`, replace: true })
  }
}

/** The same address in another account. */
export function withAccount(href: string, ref: string) {
  return href.replace(/^\/[^/?#]+/, `/${ref}`)
}
