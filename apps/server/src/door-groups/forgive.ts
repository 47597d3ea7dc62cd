import { forgive } from '@portcullis/contract/calls/door-groups'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { users } from '@portcullis/contract/collections/users'
import { problem } from '@portcullis/contract/errors/problem'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { workAs } from '../abilities/access-proof.ts'
import { patchItem } from '../collections/patch.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { ServeCall } from '../http/serve-call.ts'

/** Controllers obey an entry when they first see it, so the oldest of many are no longer needed. */
const maxForgiven = 200

const stored = z.object({ antiPassback: z.object({}).nullable(), forgivenAt: z.record(z.string(), z.string()) })

type DoorGroupCallsOptions = Pick<ServeCall, 'serveCall'> & { database: Database; now: () => number }

/** Forgives users of an anti-passback area: the new configuration of its controllers says so. */
export function registerDoorGroupCalls(app: FastifyInstance, { database, serveCall, now }: DoorGroupCallsOptions) {
  serveCall(app, forgive, ({ access, path: { id }, input: { user } }) => {
    const at = new Date(now()).toISOString()
    const hooks: CollectionHooks = {
      async beforePatch({ tx }, { before }) {
        const { antiPassback, forgivenAt } = stored.parse(before)
        if (antiPassback === null) throw new AppError('no_antipassback')
        if (user === null) return { forgivenAllAt: at }
        await requireUser(tx, { user, accounts: access.covered })
        return { forgivenAt: latest({ ...forgivenAt, [user]: at }) }
      },
    }
    return workAs(database, access, (tx) =>
      patchItem(tx, { collection: doorGroups, hooks, access, id, changes: {}, expected: undefined }),
    )
  })
}

type RequireUser = { user: string; accounts: readonly number[] }

async function requireUser(tx: Transaction, { user, accounts }: RequireUser) {
  const found = await tx.run(sql`select from membership
    where membership_user = ${user} and membership_account = any(${[...accounts]}::int[])`)
  if (found > 0) return
  const unknown = problem('not_in_sight', { collection: users.name })
  throw new AppError('unknown_reference', {}, { fields: { user: unknown } })
}

function latest(forgivenAt: Readonly<Record<string, string>>) {
  const byTime = Object.entries(forgivenAt).sort(([, one], [, other]) => (one < other ? 1 : -1))
  return Object.fromEntries(byTime.slice(0, maxForgiven))
}
