import { nameOf, pathOf } from '@portcullis/contract/call'
import { activity, confirmIdentity } from '@portcullis/contract/calls/authentication'
import { endOtherSessions, endOwnSession, ownSessions, ownSignIns } from '@portcullis/contract/calls/own-sessions'
import { v7 as uuidv7 } from 'uuid'
import { password } from '@portcullis/server/test-server'
import type { Outcome } from './expected-answer.ts'
import { cookieOfNewUser, freshCookie, sessionOf } from './fresh-session.ts'
import { done, notFound, ok, type Probe, type Recipe } from './probe.ts'
import type { World } from './world.ts'

const wrongPassword: Outcome = { status: 403, code: 'wrong_credentials' }
const openToAll = { allows: () => true, shows: 'user', isRead: false } as const

/** Calls for the user's own sessions: list, activity and end. */
export function ownSessionRecipes(world: World): Record<string, Recipe> {
  return {
    [nameOf(activity)]: { ...openToAll, probes: [plain('the page', () => ({ path: activity.path }))] },
    [nameOf(confirmIdentity)]: {
      ...openToAll,
      probes: [
        {
          placement: 'body',
          what: 'their own password',
          send: async (attempt) => ({
            path: confirmIdentity.path,
            body: { password },
            ...(await freshCookie(world, attempt)),
          }),
          expects: () => done,
        },
        {
          placement: 'body',
          what: 'a wrong password',
          send: async (attempt) => ({
            path: confirmIdentity.path,
            body: { password: 'no such password' },
            ...(await freshCookie(world, attempt)),
          }),
          expects: () => wrongPassword,
        },
      ],
    },
    [nameOf(ownSessions)]: {
      ...openToAll,
      isRead: true,
      probes: [plain('the page', () => ({ path: ownSessions.path }))],
    },
    [nameOf(endOwnSession)]: { ...openToAll, probes: endProbes() },
    [nameOf(endOtherSessions)]: {
      ...openToAll,
      changes: 'own',
      needsNewUser: true,
      probes: [
        plain('a user with no other session', async (attempt) => ({
          path: endOtherSessions.path,
          ...(await cookieOfNewUser(world, attempt)),
        })),
      ],
    },
    [nameOf(ownSignIns)]: {
      ...openToAll,
      isRead: true,
      probes: [plain('the page', () => ({ path: ownSignIns.path }))],
    },
  }

  function endProbes(): Probe[] {
    const path = (id: string) => pathOf(endOwnSession, { id })
    return [
      {
        placement: 'path',
        what: 'their own',
        send: async ({ persona }) => ({ path: path(await sessionOf(world, persona.userId)) }),
        expects: () => done,
      },
      {
        placement: 'path',
        what: 'that of another',
        send: async () => ({ path: path(await sessionOf(world, world.server.userId)) }),
        expects: () => notFound,
      },
      { placement: 'path', what: 'none', send: () => ({ path: path(uuidv7()) }), expects: () => notFound },
      { placement: 'path', what: 'no id', send: () => ({ path: path('zebra') }), expects: () => notFound },
    ]
  }

  function plain(what: string, send: Probe['send']): Probe {
    return { placement: 'plain', what, send, expects: () => ok }
  }
}
