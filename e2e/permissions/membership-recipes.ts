import { nameOf, pathOf } from '@portcullis/contract/call'
import * as calls from '@portcullis/contract/calls/memberships'
import { invitationRequests } from '@portcullis/server/memberships/calls'
import { makeToken } from '@portcullis/server/sessions/token'
import { v7 as uuidv7 } from 'uuid'
import type { Outcome } from './expected-answer.ts'
import { atEach, badRequest, isIn, notFound, ok, type Probe, type Recipe, type Sent } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

const unknown: Outcome = { status: 422, code: 'unknown_reference' }
const lastAccount: Outcome = { status: 422, code: 'last_account' }
const linkEnded: Outcome = { status: 422, code: 'link_ended' }

/** Changes act on users of the account entered, who belong to no other account that the user sees; no invitation is open. */
export function membershipRecipes(world: World): Record<string, Recipe> {
  const changes = {
    allows: (rights) => may(rights, 'manage', 'Users'),
    shows: 'account',
    isRead: false,
  } as const satisfies Omit<Recipe, 'probes'>
  const isPublic = { allows: () => true, shows: 'nothing', isRead: true } as const
  const isOwn = { allows: () => true, shows: 'user', isRead: true } as const
  const userOf = (target: Parameters<World['idOf']>[0]) => world.idOf(target, 'users')
  const add = (id: string, accountIds: string[]) => ({ path: pathOf(calls.addAccounts, { id }), body: { accountIds } })
  const remove = (id: string, account: string) => ({ path: pathOf(calls.removeAccount, { id }), body: { account } })

  return {
    [nameOf(calls.userAccounts)]: {
      allows: (rights) => may(rights, 'view', 'Users'),
      shows: 'user',
      isRead: true,
      probes: atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => ({ path: pathOf(calls.userAccounts, { id: userOf(target) }) }),
        expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
      })),
    },
    [nameOf(calls.addAccounts)]: {
      ...changes,
      probes: [
        ...atEach((target) => ({
          placement: 'path',
          what: 'id',
          send: () => add(userOf(target), [world.idOf('absent', 'accounts')]),
          expects: ({ account }) => (target === account ? unknown : notFound),
          knows: ({ account }) => new Set([account]),
        })),
        body('no id', ({ account }) => add(userOf(account), ['zebra'])),
      ],
    },
    [nameOf(calls.removeAccount)]: {
      ...changes,
      probes: [
        ...atEach((target) => ({
          placement: 'path',
          what: 'id',
          send: ({ account }) => remove(userOf(target), world.idOf(account, 'accounts')),
          expects: ({ account }) => (target === account ? lastAccount : notFound),
          knows: ({ account }) => new Set([account]),
        })),
        body('no id', ({ account }) => remove(userOf(account), 'zebra')),
      ],
    },
    [nameOf(calls.ownInvitations)]: {
      ...isOwn,
      probes: [plain('all', () => ({ path: calls.ownInvitations.path }), ok)],
    },
    [nameOf(calls.answerOwnInvitation)]: {
      ...isOwn,
      probes: [
        plain('an unknown invitation', () => {
          return { path: pathOf(calls.answerOwnInvitation, { id: uuidv7() }), body: { accept: true } }
        }),
      ],
    },
    [nameOf(calls.readInvitation)]: {
      ...isPublic,
      probes: [
        plain('an unknown token', () => withinLimit({ path: calls.readInvitation.path, body: { token: makeToken() } })),
      ],
    },
    [nameOf(calls.answerInvitation)]: {
      ...isPublic,
      probes: [
        plain('an unknown token', () =>
          withinLimit({ path: calls.answerInvitation.path, body: { token: makeToken(), accept: true } }),
        ),
      ],
    },
  }

  function plain(what: string, send: () => Sent, outcome = linkEnded): Probe {
    return { placement: 'plain', what, send, expects: () => outcome }
  }

  function body(what: string, send: Probe['send']): Probe {
    return { placement: 'body', what, send, expects: () => badRequest }
  }
}

/** The matrix sends all requests from one network. */
function withinLimit<T>(sent: T): T {
  invitationRequests.of('127.0.0.1').spend(-1)
  return sent
}
