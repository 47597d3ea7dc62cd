import { setDoorMode as setModeCall } from '@portcullis/contract/calls/door-modes'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { setDoorMode } from './set-mode.ts'

type Parts = Pick<ServeCall, 'serveCall'> & { database: Database }

/** The desired mode of a door, apart from its schedule. */
export function registerDoorCalls(app: FastifyInstance, { database, serveCall }: Parts) {
  serveCall(app, setModeCall, async ({ access, path, input }) =>
    setDoorMode(database, { access, ...path, wanted: input, now: new Date() }),
  )
}
