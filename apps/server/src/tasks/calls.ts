import { actionRemoteAuth, askAtDoor as askCall } from '@portcullis/contract/calls/remote-access'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { askAtDoor } from './ask-at-door.ts'
import { decideRequest, type GiveUnlock } from './decide-request.ts'

type TaskCallOptions = ServeCall & { database: Database; giveUnlock: GiveUnlock }

/** Requests for remote access at doors, and decisions about them. */
export function registerTaskCalls(
  app: FastifyInstance,
  { database, serveCall, serveProvenCall, giveUnlock }: TaskCallOptions,
) {
  serveProvenCall(app, askCall, async ({ access, input }) => askAtDoor(database, { access, input }))

  serveCall(app, actionRemoteAuth, async ({ access, path, input }) =>
    decideRequest({ database, giveUnlock }, { access, ...path, ...input }),
  )
}
