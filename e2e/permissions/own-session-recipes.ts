import { v7 as uuidv7 } from 'uuid'
import { password } from '@portcullis/server/test-server'
import type { Outcome } from './expected-answer.ts'
import { cookieOfSomebodyNew, freshCookie, sessionOf } from './fresh-session.ts'
import { done, notFound, ok, type Probe, type Recipe } from './probe.ts'
import type { World } from './world.ts'

const wrongPassword: Outcome = { status: 403, code: 'wrong_credentials' }
const anybody = { allows: () => true, shows: 'person', isRead: false } as const

/** One's own sessions: where they are, their life and their end. */
export function ownSessionRecipes(world: World): Record<string, Recipe> {
  const confirm = '/api/auth/confirm'
  const sessions = '/api/users/me/sessions'
  return {
    'POST /api/auth/activity': { ...anybody, probes: [plain('the page', () => ({ path: '/api/auth/activity' }))] },
    'POST /api/auth/confirm': {
      ...anybody,
      probes: [
        {
          placement: 'body',
          what: 'their own password',
          send: async (aim) => ({ path: confirm, body: { password }, ...(await freshCookie(world, aim)) }),
          expects: () => done,
        },
        {
          placement: 'body',
          what: 'a wrong password',
          send: async (aim) => ({
            path: confirm,
            body: { password: 'no such password' },
            ...(await freshCookie(world, aim)),
          }),
          expects: () => wrongPassword,
        },
      ],
    },
    'GET /api/users/me/sessions': { ...anybody, isRead: true, probes: [plain('the page', () => ({ path: sessions }))] },
    'DELETE /api/users/me/sessions/{id}': { ...anybody, probes: endProbes() },
    'POST /api/users/me/sessions/endOthers': {
      ...anybody,
      changes: 'own',
      isOfSomebodyNew: true,
      probes: [
        plain('somebody who is nowhere else', async (aim) => ({
          path: `${sessions}/endOthers`,
          ...(await cookieOfSomebodyNew(world, aim)),
        })),
      ],
    },
    'GET /api/users/me/signIns': {
      ...anybody,
      isRead: true,
      probes: [plain('the page', () => ({ path: '/api/users/me/signIns' }))],
    },
  }

  function endProbes(): Probe[] {
    const path = (id: string) => `${sessions}/${id}`
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
