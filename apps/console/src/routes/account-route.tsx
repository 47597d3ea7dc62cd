import type { Action, Subject } from '@portcullis/contract/abilities'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { Session } from '../session/session-context.tsx'
import { rootRoute } from './root-route.tsx'

/** Everything inside an account. The account is resolved, and the session known, before any child loads. */
export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$account',
  beforeLoad: async ({ params, location }): Promise<{ session: Session }> => {
    const { resolveAccount } = await import('./resolve-account.ts')
    const resolved = await resolveAccount(params.account)
    switch (resolved.outcome) {
      case 'session':
        return { session: resolved.session }
      case 'elsewhere':
        throw redirect({ href: withAccount(location.href, resolved.ref), replace: true })
      case 'signed_out':
        throw redirect({ to: '/authentication/login', search: { returnUrl: location.href }, replace: true })
      case 'no_account':
        throw redirect({ to: '/no-account', replace: true })
      case 'unknown':
        throw redirect({ to: '/$account/sites', params: { account: 'null' }, replace: true })
    }
  },
  component: lazyRouteComponent(() => import('../shell/account-layout.tsx'), 'AccountLayout'),
})

type Gate = { context: { session: Session } }

/** A gate before a screen: who may not see it is sent to the events of the account (specification §2). */
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
