import {
  activeLockdowns as activeCall,
  endLockdown as endCall,
  lockdownDoors,
  startLockdown as startCall,
} from '@portcullis/contract/calls/lockdowns'
import type { FastifyInstance } from 'fastify'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { activeLockdowns, doorsInLockdown } from './active-lockdowns.ts'
import { endLockdown } from './end-lockdown.ts'
import { startLockdown } from './start-lockdown.ts'

type RegisterLockdownCallsOptions = Pick<ServeCall, 'serveCall'> & { database: Database; feed: ChangeFeed }

/** Starting a lockdown of a plan, ending it, and the state of its doors. */
export function registerLockdownCalls(
  app: FastifyInstance,
  { database, feed, serveCall }: RegisterLockdownCallsOptions,
) {
  serveCall(app, startCall, async ({ access, path }) => {
    const started = await startLockdown(database, { access, plan: path.id })
    feed.hint()
    return started
  })
  serveCall(app, endCall, async ({ access, path: { id } }) => {
    const ended = await endLockdown(database, { access, id })
    feed.hint()
    return ended
  })
  serveCall(app, activeCall, async ({ access }) => activeLockdowns(database, access))
  serveCall(app, lockdownDoors, async ({ access, path: { id } }) => doorsInLockdown(database, { access, id }))
}
