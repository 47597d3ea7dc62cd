import { nameOf, pathOf } from '@portcullis/contract/call'
import * as calls from '@portcullis/contract/calls/own-account'
import sql from 'sql-template-tag'
import { makeToken } from '@portcullis/server/sessions/token'
import type { Outcome } from './expected-answer.ts'
import { cookieOfNewUser, freshCookie } from './fresh-session.ts'
import type { Place } from './places.ts'
import { atEach, badRequest, done, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

const wrongPassword: Outcome = { status: 403, code: 'wrong_credentials' }
const linkEnded: Outcome = { status: 422, code: 'link_ended' }
const noPlaces: ReadonlySet<Place> = new Set()
const openToAll = { allows: () => true, shows: 'user', isRead: false, changes: 'own' } as const

/** Calls for the user's own profile, and the mails that confirm an email. */
export function ownAccountRecipes(world: World): Record<string, Recipe> {
  return {
    [nameOf(calls.patchMe)]: {
      ...openToAll,
      probes: [
        {
          placement: 'body',
          what: 'consent',
          send: () => ({ path: calls.patchMe.path, body: consent }),
          expects: () => ok,
        },
        {
          placement: 'body',
          // One of the two is not as it was read.
          what: 'a role and an idle time',
          send: () => ({ path: calls.patchMe.path, body: { role: 'admin', idleTime: 7 } }),
          expects: () => badRequest,
        },
      ],
    },
    [nameOf(calls.changePassword)]: { ...openToAll, probes: passwordProbes() },
    [nameOf(calls.changeEmail)]: {
      ...openToAll,
      needsNewUser: true,
      probes: [
        {
          placement: 'body',
          what: 'an email',
          send: async (attempt) => {
            await forgetMails()
            const body = { email: 'zebra@people.example' }
            return { path: calls.changeEmail.path, body, ...(await cookieOfNewUser(world, attempt)) }
          },
          expects: () => done,
        },
      ],
    },
    [nameOf(calls.pendingEmail)]: {
      ...openToAll,
      isRead: true,
      probes: [
        { placement: 'plain', what: 'the page', send: () => ({ path: calls.pendingEmail.path }), expects: () => ok },
      ],
    },
    [nameOf(calls.takeBackEmail)]: {
      ...openToAll,
      probes: [
        {
          placement: 'plain',
          what: 'nothing that waits',
          send: () => ({ path: calls.takeBackEmail.path }),
          expects: () => done,
        },
      ],
    },
    [nameOf(calls.sendVerification)]: sending(calls.sendVerification),
    [nameOf(calls.resendVerification)]: sending(calls.resendVerification),
    [nameOf(calls.verifyEmail)]: {
      allows: () => true,
      shows: 'nothing',
      isRead: false,
      probes: atEach((target) => ({
        placement: 'path',
        what: 'a link that never was',
        send: () => ({ path: pathOf(calls.verifyEmail, { id: world.idOf(target, 'users'), token: makeToken() }) }),
        expects: () => linkEnded,
        knows: () => noPlaces,
      })),
    },
  }

  function passwordProbes(): Probe[] {
    const body = { oldPassword: 'no such password', newPassword: 'seven quiet lighthouses' }
    const path = (id: string) => pathOf(calls.changePassword, { id })
    return [
      ...atEach((target) => ({
        placement: 'path',
        what: "another's",
        send: () => ({ path: path(world.idOf(target, 'users')), body }),
        expects: () => ({ status: 403, code: 'others_password' }),
        knows: () => noPlaces,
      })),
      {
        placement: 'body',
        what: 'a wrong password',
        send: async (attempt) => ({ path: path('me'), body, ...(await freshCookie(world, attempt)) }),
        expects: () => wrongPassword,
      },
    ]
  }

  /** Users of the matrix have no password, so this invites them again; older mails are backdated for the hourly limit. */
  function sending(call: typeof calls.sendVerification | typeof calls.resendVerification): Recipe {
    const path = (id: string) => pathOf(call, { id })
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
            return { path: path(world.idOf(target, 'users')) }
          },
          expects: ({ account }) => (target === account ? done : notFound),
          knows: ({ account }) => new Set([account]),
        })),
        {
          placement: 'path',
          what: 'no id',
          send: () => ({ path: path('zebra') }),
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
