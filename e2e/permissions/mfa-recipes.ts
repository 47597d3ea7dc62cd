import { type Call, nameOf, pathOf } from '@portcullis/contract/call'
import * as calls from '@portcullis/contract/calls/mfa'
import type { Outcome } from './expected-answer.ts'
import { cookieOfNewUser, freshCookie } from './fresh-session.ts'
import { atEach, done, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

const wrongCode: Outcome = { status: 403, code: 'wrong_code' }
/** No persona of the matrix has an authenticator. */
const notEnrolled: Outcome = { status: 422, code: 'mfa_not_enrolled' }
const openToAll = { allows: () => true, shows: 'user', isRead: false } as const

/** MFA: the user's own, another user's, and that of all users of an account. */
export function mfaRecipes(world: World): Record<string, Recipe> {
  const code = { code: '000000' }
  return {
    [nameOf(calls.mfaSignIn)]: {
      ...openToAll,
      probes: [
        own(calls.mfaSignIn, { body: code, expects: wrongCode }),
        own(calls.mfaSignIn, { body: { recoveryCode: 'k7m2-x9qd-4rwt' }, expects: wrongCode }),
      ],
    },
    [nameOf(calls.mfaSetUp)]: {
      ...openToAll,
      changes: 'own',
      needsNewUser: true,
      probes: [
        {
          placement: 'plain',
          what: 'a new key',
          send: async (attempt) => ({ path: calls.mfaSetUp.path, ...(await cookieOfNewUser(world, attempt)) }),
          expects: () => ok,
        },
      ],
    },
    [nameOf(calls.mfaEnrol)]: {
      ...openToAll,
      probes: [own(calls.mfaEnrol, { body: code, expects: wrongCode })],
    },
    [nameOf(calls.enableMfa)]: {
      ...openToAll,
      probes: [own(calls.enableMfa, { expects: notEnrolled })],
    },
    [nameOf(calls.disableMfa)]: {
      ...openToAll,
      probes: [own(calls.disableMfa, { expects: notEnrolled })],
    },
    [nameOf(calls.renewRecoveryCodes)]: {
      ...openToAll,
      probes: [own(calls.renewRecoveryCodes, { expects: notEnrolled })],
    },
    [nameOf(calls.resetMfa)]: {
      allows: (rights) => may(rights, 'manage', 'MFA'),
      shows: 'account',
      isRead: false,
      probes: acting('users', { call: calls.resetMfa, right: done }),
    },
    [nameOf(calls.enforceMfa)]: {
      allows: (rights) => may(rights, 'manage', 'Accounts'),
      shows: 'account',
      isRead: false,
      // Never enforced, because no persona of the matrix has an authenticator.
      probes: acting('accounts', { call: calls.enforceMfa, right: ok, body: { enforce: false } }).map((probe) => ({
        ...probe,
        isNarrowedByFilter: true,
      })),
    },
  }

  function own({ path }: Call, { body, expects }: { body?: unknown; expects: Outcome }): Probe {
    return {
      placement: 'body',
      what: JSON.stringify(body ?? 'nothing'),
      send: async (attempt) => ({
        path,
        ...(body === undefined ? {} : { body }),
        ...(await freshCookie(world, attempt)),
      }),
      expects: () => expects,
    }
  }

  type Acting = { call: typeof calls.resetMfa | typeof calls.enforceMfa; right: Outcome; body?: unknown }

  function acting(collection: string, { call, right, body }: Acting): Probe[] {
    const path = (id: string) => pathOf(call, { id })
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
