import { nameOf, pathOf } from '@portcullis/contract/call'
import * as calls from '@portcullis/contract/calls/accounts'
import sql from 'sql-template-tag'
import type { Context, Outcome } from './expected-answer.ts'
import { refOf } from './marks.ts'
import { type Place, places, type Target, treeBelow } from './places.ts'
import { atEach, badRequest, done, forbidden, isIn, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

const belowItself: Outcome = { status: 422, code: 'account_below_itself' }
const isCurrent: Outcome = { status: 422, code: 'account_is_current' }
const unknown: Outcome = { status: 422, code: 'unknown_reference' }

/** Actions on an account from one above it: only the accounts below are visible. */
export function accountRecipes(world: World): Record<string, Recipe> {
  const managing = {
    allows: (rights) => may(rights, 'manage', 'Accounts'),
    shows: 'user',
    isRead: false,
  } as const satisfies Partial<Recipe>
  const idOf = (target: Target) => world.idOf(target, 'accounts')
  const inSight = ({ account }: Context) => treeBelow(account)
  const acted = (context: Context, { target, right }: { target: Target; right: Outcome }) => {
    if (isIn(context.covers, target)) return right
    // They see the account, because they have a role in it.
    return isIn(inSight(context), target) ? forbidden : notFound
  }

  return {
    [nameOf(calls.moveAccount)]: {
      ...managing,
      probes: [
        ...atEach((target) => ({
          placement: 'path',
          what: 'id, below itself',
          send: () => ({
            path: pathOf(calls.moveAccount, { id: idOf(target) }),
            body: { parent: idOf(target), dryRun: true },
          }),
          expects: (context) => acted(context, { target, right: target === context.account ? isCurrent : belowItself }),
          knows: inSight,
        })),
        ...atEach((target) => ({
          placement: 'body',
          what: 'parent',
          send: () => ({
            path: pathOf(calls.moveAccount, { id: idOf('child') }),
            body: { parent: idOf(target), dryRun: true },
          }),
          expects: (context) => moveOfChild(target, context),
          knows: inSight,
        })),
      ],
    },
    [nameOf(calls.suspendAccount)]: { ...managing, probes: acting(calls.suspendAccount) },
    [nameOf(calls.restoreAccount)]: { ...managing, probes: acting(calls.restoreAccount) },
    [nameOf(calls.accountImage)]: {
      allows: () => true,
      shows: 'user',
      isRead: true,
      probes: (['ref', '_id'] as const).flatMap((what) =>
        atEach((target) => ({
          placement: 'path',
          what,
          send: () => ({ path: pathOf(calls.accountImage, { id: what === 'ref' ? refOf(target) : idOf(target) }) }),
          expects: (context) => (isIn(picturedAccounts(context), target) ? ok : notFound),
          knows: picturedAccounts,
        })),
      ),
    },
    [nameOf(calls.setAccountImage)]: {
      ...managing,
      probes: picturing(calls.setAccountImage, { body: 'zebra', right: badRequest }),
    },
    [nameOf(calls.removeAccountImage)]: { ...managing, probes: picturing(calls.removeAccountImage, { right: done }) },
  }

  /** The accounts whose pictures a user sees from any account: the path names the account, as in the specification. */
  function picturedAccounts({ persona: { rights } }: Context): ReadonlySet<Place> {
    if (rights === 'hyper') return new Set(places)
    return rights === undefined ? new Set() : treeBelow('own')
  }

  type Picturing = typeof calls.setAccountImage | typeof calls.removeAccountImage

  function picturing(call: Picturing, { right, ...sent }: { right: Outcome; body?: unknown }): Probe[] {
    return atEach((target) => ({
      placement: 'path',
      what: 'id',
      send: () => ({ path: pathOf(call, { id: idOf(target) }), ...sent }),
      expects: ({ account }) => (target === account ? right : notFound),
      knows: ({ account }) => new Set([account]),
      isNarrowedByFilter: true,
    }))
  }

  function acting(call: typeof calls.suspendAccount | typeof calls.restoreAccount): Probe[] {
    return atEach((target) => ({
      placement: 'path',
      what: 'id',
      send: () => ({ path: pathOf(call, { id: idOf(target) }) }),
      expects: (context) => {
        if (target === context.account) return isCurrent
        return acted(context, { target, right: ok })
      },
      knows: inSight,
      ...(target === 'absent' ? {} : { changes: target }),
      undo: () => restore(target),
    }))
  }

  /** Enables the account again and reopens the sessions that its suspension ended, for the next request. */
  async function restore(target: Target) {
    await world.server.database.asSystem(async (tx) => {
      await tx.run(sql`update account set account_status = 'active' where account_id = ${idOf(target)}`)
      await tx.run(sql`update session set session_ended_at = null
        where session_person = any(${world.personas.map(({ userId }) => userId)}::uuid[])`)
    })
  }
}

function moveOfChild(target: Target, { account, covers }: Context): Outcome {
  if (!treeBelow(account).has('child')) return notFound
  if (account === 'child') return isCurrent
  if (!covers.has('child')) return forbidden
  if (target === 'child') return belowItself
  return isIn(covers, target) ? ok : unknown
}
