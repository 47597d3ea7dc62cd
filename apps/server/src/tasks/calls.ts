import {
  actionRemoteAuth,
  askAtDoor as askCall,
  noteDecision as noteCall,
  withdrawRequest as withdrawCall,
} from '@portcullis/contract/calls/remote-access'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { askAtDoor } from './ask-at-door.ts'
import { decideRequest, type GiveUnlock } from './decide-request.ts'
import { noteDecision } from './note-decision.ts'
import { withdrawRequest } from './withdraw-request.ts'

type TaskCallOptions = Pick<ServeCall, 'serveCall' | 'serveProvenCall'> & { database: Database; giveUnlock: GiveUnlock }

/** Requests for remote access at doors, decisions about them, and notes to the decisions. */
export function registerTaskCalls(
  app: FastifyInstance,
  { database, serveCall, serveProvenCall, giveUnlock }: TaskCallOptions,
) {
  serveProvenCall(app, askCall, async ({ access, input }) => askAtDoor(database, { access, input }))

  serveCall(app, actionRemoteAuth, async ({ access, path, input }) =>
    decideRequest({ database, giveUnlock }, { access, ...path, ...input }),
  )

  serveProvenCall(app, withdrawCall, async ({ access, path }) => withdrawRequest(database, { access, ...path }))

  serveProvenCall(app, noteCall, async ({ access, path, input: { note, noteAsRead, ...asRead } }) =>
    noteDecision(database, { access, ...path, note, noteAsRead, asRead }),
  )
}
