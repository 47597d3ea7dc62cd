import sql from 'sql-template-tag'
import { setDoorMode as setModeCall } from '@portcullis/contract/calls/door-modes'
import type { FastifyInstance } from 'fastify'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { AppError } from '../errors/app-error.ts'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { setDoorMode } from './set-mode.ts'

/** A door that is part of an interlock stays with the unit that keeps it. */
export const doorHooks: CollectionHooks = {
  async beforePatch({ tx }, { before, changes }) {
    const { unit } = changes
    if (unit === undefined || unit === before['unit']) return {}
    const interlocks = await tx.run(
      sql`select from link join interlocking_group on interlocking_group_id = link_owner
           where link_target = ${before['_id']}::uuid and link_field = 'doors'`,
    )
    if (interlocks === 0) return {}
    throw new AppError('door_in_interlock', {}, { at: ['unit'] })
  },
}

type RegisterDoorCallsOptions = Pick<ServeCall, 'serveCall'> & { database: Database }

/** The desired mode of a door, apart from its schedule. */
export function registerDoorCalls(app: FastifyInstance, { database, serveCall }: RegisterDoorCallsOptions) {
  serveCall(app, setModeCall, async ({ access, path, input }) =>
    setDoorMode(database, { access, ...path, desired: input, now: new Date() }),
  )
}
