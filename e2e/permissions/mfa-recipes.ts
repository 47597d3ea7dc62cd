import type { Outcome } from './expected-answer.ts'
import { cookieOfSomebodyNew, freshCookie } from './fresh-session.ts'
import { atEach, done, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

const wrongCode: Outcome = { status: 403, code: 'wrong_code' }
/** Nobody of the matrix has an authenticator. */
const notEnrolled: Outcome = { status: 422, code: 'refused' }
const anybody = { allows: () => true, shows: 'person', isRead: false } as const

/** The second factor: one's own, another's, and that of everybody in an account. */
export function mfaRecipes(world: World): Record<string, Recipe> {
  const code = { code: '000000' }
  return {
    'POST /api/auth/mfa': {
      ...anybody,
      probes: [
        own({ path: '/api/auth/mfa', body: code, expects: wrongCode }),
        own({ path: '/api/auth/mfa', body: { recoveryCode: 'k7m2-x9qd-4rwt' }, expects: wrongCode }),
      ],
    },
    'GET /api/users/mfasetup': {
      ...anybody,
      changes: 'own',
      isOfSomebodyNew: true,
      probes: [
        {
          placement: 'plain',
          what: 'a new key',
          send: async (aim) => ({ path: '/api/users/mfasetup', ...(await cookieOfSomebodyNew(world, aim)) }),
          expects: () => ok,
        },
      ],
    },
    'POST /api/users/mfasetup': {
      ...anybody,
      probes: [own({ path: '/api/users/mfasetup', body: code, expects: wrongCode })],
    },
    'POST /api/users/enablemfa': {
      ...anybody,
      probes: [own({ path: '/api/users/enablemfa', expects: notEnrolled })],
    },
    'POST /api/users/disablemfa': {
      ...anybody,
      probes: [own({ path: '/api/users/disablemfa', expects: notEnrolled })],
    },
    'POST /api/users/recoveryCodes': {
      ...anybody,
      probes: [own({ path: '/api/users/recoveryCodes', expects: notEnrolled })],
    },
    'POST /api/users/{id}/mfaReset': {
      allows: (rights) => may(rights, 'manage', 'MFA'),
      shows: 'account',
      isRead: false,
      probes: acting('users', { verb: 'mfaReset', right: done }),
    },
    'POST /api/accounts/{id}/enforceMFA': {
      allows: (rights) => may(rights, 'manage', 'Accounts'),
      shows: 'account',
      isRead: false,
      // Nobody of the matrix is to be asked for a code.
      probes: acting('accounts', { verb: 'enforceMFA', right: ok, body: { enforce: false } }).map((probe) => ({
        ...probe,
        isNarrowedByFilter: true,
      })),
    },
  }

  function own({ path, body, expects }: { path: string; body?: unknown; expects: Outcome }): Probe {
    return {
      placement: 'body',
      what: JSON.stringify(body ?? 'nothing'),
      send: async (aim) => ({ path, ...(body === undefined ? {} : { body }), ...(await freshCookie(world, aim)) }),
      expects: () => expects,
    }
  }

  type Verb = { verb: string; right: Outcome; body?: unknown }

  function acting(collection: string, { verb, right, body }: Verb): Probe[] {
    const path = (id: string) => `/api/${collection}/${id}/${verb}`
    return [
      ...atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => ({ path: path(world.idOf(target, collection)), body }),
        expects: ({ account }) => (target === account ? right : notFound),
        knows: ({ account }) => new Set([account]),
      })),
      { placement: 'path', what: 'no id', send: () => ({ path: path('zebra'), body }), expects: () => notFound },
    ]
  }
}
