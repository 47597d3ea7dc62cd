import { nameOf, pathOf } from '@portcullis/contract/call'
import { assumeAccount, endAssumption } from '@portcullis/contract/calls/assume-account'
import sql from 'sql-template-tag'
import type { Context, Outcome } from './expected-answer.ts'
import { type Place, treeBelow } from './places.ts'
import { atEach, badRequest, isIn, ok, type Recipe } from './probe.ts'
import type { World } from './world.ts'

const alreadyActing: Outcome = { status: 422, code: 'already_acting' }
const noSuchAccount: Outcome = { status: 403, code: 'account_refused' }
const noPlaces: ReadonlySet<Place> = new Set()

/** Acting inside an account: only for hyper users, only in accounts below, and not while already acting in one. */
export function assumeRecipes(world: World): Record<string, Recipe> {
  const openToAll = { allows: () => true, shows: 'user', isRead: false } as const

  return {
    [nameOf(assumeAccount)]: {
      ...openToAll,
      refusesBeforeFreshSignIn: true,
      probes: atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => ({
          path: pathOf(assumeAccount, { id: world.idOf(target, 'accounts') }),
          body: { reason: 'the matrix looks' },
        }),
        expects: (context) => {
          if (context.isAssumed) return alreadyActing
          return isIn(open(context), target) ? ok : noSuchAccount
        },
        knows: open,
        ...(target === 'absent' ? {} : { changes: target }),
        undo: forget,
      })).concat([
        {
          placement: 'body',
          what: 'no reason',
          send: () => ({ path: pathOf(assumeAccount, { id: world.idOf('child', 'accounts') }), body: { reason: ' ' } }),
          expects: (context) => {
            if (context.isAssumed) return alreadyActing
            return isIn(open(context), 'child') ? badRequest : noSuchAccount
          },
        },
      ]),
    },
    [nameOf(endAssumption)]: {
      ...openToAll,
      probes: atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => ({ path: pathOf(endAssumption, { id: world.idOf(target, 'accounts') }) }),
        expects: ({ isAssumed }) => (isAssumed ? alreadyActing : ok),
        knows: () => noPlaces,
      })),
    },
  }

  function open({ persona, account }: Context): ReadonlySet<Place> {
    if (persona.rights !== 'hyper') return noPlaces
    return new Set([...treeBelow(account)].filter((place) => place !== account))
  }

  /** Deletes the stored assumption: the next request assumes the account by header alone, as programs do. */
  async function forget() {
    await world.server.database.asSystem((tx) => tx.run(sql`delete from assumption`))
  }
}
