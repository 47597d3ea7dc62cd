import { type Call, nameOf, pathOf } from '@portcullis/contract/call'
import { countRecertifyable, recertify, recertifyable } from '@portcullis/contract/calls/recertification'
import sql from 'sql-template-tag'
import type { Context } from './expected-answer.ts'
import { canaryOf } from './marks.ts'
import type { Place } from './places.ts'
import { atEach, badRequest, notFound, ok, type Probe, type Recipe } from './probe.ts'
import type { World } from './world.ts'

const roles = ['hyper', 'admin', 'accountManager', 'accessManager']

/** Users who may recertify see the users due in the accounts that they read, and decide in the account entered. */
export function recertificationRecipes(world: World): Record<string, Recipe> {
  const allows: Recipe['allows'] = (rights) => roles.includes(rights)
  const accountAlone = ({ account }: Context) => new Set([account])
  const decide = (id: string, body: unknown) => ({ path: pathOf(recertify, { id }), body })

  return {
    [nameOf(recertifyable)]: { allows, shows: 'reads', isRead: true, probes: reading(recertifyable) },
    [nameOf(countRecertifyable)]: { allows, shows: 'reads', isRead: true, probes: reading(countRecertifyable) },
    [nameOf(recertify)]: {
      allows,
      shows: 'account',
      isRead: false,
      probes: [
        ...(['keep', 'suspend'] as const).flatMap((decision) =>
          atEach(
            (target): Omit<Probe, 'target'> => ({
              placement: 'path',
              what: `id, to ${decision}`,
              send: () => decide(world.idOf(target, 'users'), { decision }),
              expects: ({ account }) => (target === account ? ok : notFound),
              knows: accountAlone,
              isNarrowedByFilter: true,
              undo: restore,
            }),
          ),
        ),
        { placement: 'path', what: 'no id', send: () => decide('zebra', {}), expects: () => notFound },
        {
          placement: 'body',
          what: 'no decision',
          send: ({ account }) => decide(world.idOf(account, 'users'), { decision: 'zebra' }),
          expects: () => badRequest,
        },
      ],
    },
  }

  function reading({ path }: Call): Probe[] {
    const ask = (query: Record<string, string>) => ({ path: `${path}?${new URLSearchParams(query).toString()}` })
    return [
      { placement: 'plain', what: 'all users', send: () => ask({}), expects: () => ok },
      { placement: 'plain', what: 'nobody', send: () => ask({ due: 'overdue' }), expects: () => ok },
      ...atEach((target) => ({
        placement: 'search',
        what: 'words',
        send: () => ask({ search: canaryOf(target) }),
        expects: () => ok,
      })),
    ]
  }

  /** Sets the user active again for the next decision. */
  async function restore(account: Place) {
    const user = world.idOf(account, 'users')
    await world.server.database.asSystem((tx) =>
      tx.run(sql`update membership set membership_status = 'active'
        where membership_user = ${user} and membership_account = ${world.keyOf(account)}`),
    )
  }
}
