import sql from 'sql-template-tag'
import { makeToken } from '@portcullis/server/sessions/token'
import type { Outcome } from './expected-answer.ts'
import { cookieOfSomebodyNew, freshCookie } from './fresh-session.ts'
import type { Place, Target } from './places.ts'
import { atEach, badRequest, done, forbidden, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

const wrongPassword: Outcome = { status: 403, code: 'wrong_credentials' }
const linkEnded: Outcome = { status: 422, code: 'link_ended' }
const nobody: ReadonlySet<Place> = new Set()
const anybody = { allows: () => true, shows: 'person', isRead: false, changes: 'own' } as const

/** What people change about themselves, and the mails that confirm an e-mail. */
export function ownAccountRecipes(world: World): Record<string, Recipe> {
  const email = '/api/users/me/email'
  return {
    'PATCH /api/users/me': {
      ...anybody,
      probes: [
        {
          placement: 'body',
          what: 'consent',
          send: () => ({ path: '/api/users/me', body: consent }),
          expects: () => ok,
        },
        {
          placement: 'body',
          what: 'a role',
          send: () => ({ path: '/api/users/me', body: { role: 'admin' } }),
          expects: () => badRequest,
        },
      ],
    },
    'PUT /api/users/{id}/password': { ...anybody, probes: passwordProbes() },
    'POST /api/users/me/email': {
      ...anybody,
      isOfSomebodyNew: true,
      probes: [
        {
          placement: 'body',
          what: 'an e-mail',
          send: async (aim) => {
            await forgetMails()
            return { path: email, body: { email: 'zebra@people.example' }, ...(await cookieOfSomebodyNew(world, aim)) }
          },
          expects: () => done,
        },
      ],
    },
    'GET /api/users/me/email': {
      ...anybody,
      isRead: true,
      probes: [{ placement: 'plain', what: 'the page', send: () => ({ path: email }), expects: () => ok }],
    },
    'DELETE /api/users/me/email': {
      ...anybody,
      probes: [{ placement: 'plain', what: 'nothing that waits', send: () => ({ path: email }), expects: () => done }],
    },
    'GET /api/users/{id}/verify': sending('verify'),
    'POST /api/users/{id}/resendVerificationToken': sending('resendVerificationToken'),
    'GET /api/users/{id}/verify/{token}': {
      allows: () => true,
      shows: 'nothing',
      isRead: false,
      probes: atEach((target) => ({
        placement: 'path',
        what: 'a link that never was',
        send: () => ({ path: `/api/users/${world.idOf(target, 'users')}/verify/${makeToken()}` }),
        expects: () => linkEnded,
        knows: () => nobody,
      })),
    },
  }

  function passwordProbes(): Probe[] {
    const body = { oldPassword: 'no such password', newPassword: 'seven quiet lighthouses' }
    const path = (id: string) => `/api/users/${id}/password`
    return [
      ...atEach((target) => ({
        placement: 'path',
        what: "another's",
        send: () => ({ path: path(world.idOf(target, 'users')), body }),
        expects: () => forbidden,
        knows: () => nobody,
      })),
      {
        placement: 'body',
        what: 'a wrong password',
        send: async (aim) => ({ path: path('me'), body, ...(await freshCookie(world, aim)) }),
        expects: () => wrongPassword,
      },
    ]
  }

  /** The people of the matrix have no password, so they are invited again; never too often for one hour. */
  function sending(verb: string): Recipe {
    const path = (target: Target) => `/api/users/${world.idOf(target, 'users')}/${verb}`
    return {
      allows: (rights) => may(rights, 'manage', 'Users'),
      shows: 'account',
      isRead: false,
      probes: [
        ...atEach((target) => ({
          placement: 'path',
          what: 'id',
          send: async () => {
            await forgetMails()
            return { path: path(target) }
          },
          expects: ({ account }) => (target === account ? done : notFound),
          knows: ({ account }) => new Set([account]),
        })),
        {
          placement: 'path',
          what: 'no id',
          send: () => ({ path: `/api/users/zebra/${verb}` }),
          expects: () => notFound,
        },
      ],
    }
  }

  function forgetMails() {
    return world.server.database.asSystem(async (tx) => {
      await tx.run(sql`update password_reset set password_reset_created_at = now() - interval '2 hours'
        where password_reset_created_at > now() - interval '1 hour'`)
      await tx.run(sql`update email_link set email_link_created_at = now() - interval '2 hours'
        where email_link_created_at > now() - interval '1 hour'`)
    })
  }
}

const consent = { consent: { eula: '2026-01-01T00:00:00.000Z' } }
