import { nameOf, pathOf } from '@portcullis/contract/call'
import { inviteGuest, openAsGuest, readGuestAccess, renewGuest } from '@portcullis/contract/calls/guests'
import { guestRequests } from '@portcullis/server/guests/calls'
import { makeToken } from '@portcullis/server/sessions/token'
import { atEach, badRequest, isIn, notFound, ok, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

/** Inviting acts in the account entered. No rule there is for a guest, and no link has such a token. */
export function guestRecipes(world: World): Record<string, Recipe> {
  const invites = { allows: mayInvite, shows: 'account', isRead: false } as const
  const isPublic = { allows: () => true, shows: 'nothing', isRead: true } as const
  return {
    [nameOf(inviteGuest)]: {
      ...invites,
      probes: [
        ...atEach((target) => ({
          placement: 'body',
          what: 'door',
          send: () => ({ path: inviteGuest.path, body: invitation(world.idOf(target, 'doors')) }),
          expects: ({ covers }) => (isIn(covers, target) ? ok : { status: 422, code: 'unknown_reference' }),
          knows: ({ covers }) => covers,
        })),
        {
          placement: 'plain',
          what: 'no id',
          send: () => ({ path: inviteGuest.path, body: invitation('zebra') }),
          expects: () => badRequest,
        },
      ],
    },
    [nameOf(renewGuest)]: {
      ...invites,
      probes: atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => ({ path: pathOf(renewGuest, { id: world.idOf(target, 'rules') }), body: { by: 'link' } }),
        expects: () => notFound,
      })),
    },
    [nameOf(readGuestAccess)]: {
      ...isPublic,
      probes: [
        {
          placement: 'plain',
          what: 'an unknown token',
          send: () => withinLimit({ path: readGuestAccess.path, body: { token: makeToken() } }),
          expects: () => ok,
        },
      ],
    },
    [nameOf(openAsGuest)]: {
      ...isPublic,
      probes: atEach((target) => ({
        placement: 'body',
        what: 'door',
        send: () =>
          withinLimit({ path: openAsGuest.path, body: { token: makeToken(), door: world.idOf(target, 'doors') } }),
        expects: () => ok,
        knows: () => new Set(),
      })),
    },
  }
}

function mayInvite(rights: Parameters<typeof may>[0]) {
  return may(rights, 'manage', 'Access Control') && may(rights, 'manage', 'Users')
}

function invitation(door: string) {
  const adhoc = { from: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' }
  return { name: 'Guest', doors: [door], adhoc, by: ['link'] }
}

/** The matrix sends all requests from one network. */
function withinLimit<T>(sent: T): T {
  guestRequests.of('127.0.0.1').spend(-1)
  return sent
}
