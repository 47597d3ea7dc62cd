import {
  endOtherSessions as endOthersCall,
  endOwnSession as endCall,
  ownSessions as sessionsCall,
  ownSignIns as signInsCall,
} from '@portcullis/contract/calls/own-sessions'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { endOtherSessions, endOwnSession, ownSessions } from './own-sessions.ts'
import { ownSignIns } from './own-sign-ins.ts'

type Parts = Pick<ServeCall, 'serveCall'> & { database: Database }

/** The sessions of the current user, and the attempts to sign in. */
export function registerOwnSessionCalls(app: FastifyInstance, { database, serveCall }: Parts) {
  serveCall(app, sessionsCall, async ({ person }) => ownSessions(database, person))

  serveCall(app, endCall, async ({ person, path: { id } }) => endOwnSession(database, { person: person._id, id }))

  serveCall(app, endOthersCall, async ({ person }) => ({ ended: await endOtherSessions(database, person) }))

  serveCall(app, signInsCall, async ({ person }) => ownSignIns(database, person._id))
}
