import { forgive } from '@portcullis/contract/calls/door-groups'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { workAs } from '../abilities/access-proof.ts'
import { patchItem } from '../collections/patch.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import type { Database } from '../database/database.ts'
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
      async beforePatch(_, { before }) {
        const { antiPassback, forgivenAt } = stored.parse(before)
        if (antiPassback === null) throw new AppError('no_antipassback')
        return user === null ? { forgivenAllAt: at } : { forgivenAt: latest({ ...forgivenAt, [user]: at }) }
      },
    }
    return workAs(database, access, (tx) =>
      patchItem(tx, { collection: doorGroups, hooks, access, id, changes: {}, expected: undefined }),
    )
  })
}

function latest(forgivenAt: Readonly<Record<string, string>>) {
  const byTime = Object.entries(forgivenAt).sort(([, one], [, other]) => (one < other ? 1 : -1))
  return Object.fromEntries(byTime.slice(0, maxForgiven))
}
