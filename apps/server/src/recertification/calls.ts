import {
  countRecertifyable,
  recertify as recertifyCall,
  recertifyable,
} from '@portcullis/contract/calls/recertification'
import type { FastifyInstance } from 'fastify'
import type { ServerHalf } from '../collections/server-half.ts'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { countDue } from './count-due.ts'
import { listRecertifyable } from './list-recertifyable.ts'
import { recertify } from './recertify.ts'

type Parts = Pick<ServeCall, 'serveProvenCall'> & { database: Database; usersHalf: ServerHalf; now: () => number }

/** The users to recertify, and the decision about each. */
export function registerRecertification(app: FastifyInstance, { database, serveProvenCall, usersHalf, now }: Parts) {
  serveProvenCall(app, recertifyable, async ({ access, query }) =>
    listRecertifyable(database, { access, query, now: now() }),
  )

  serveProvenCall(app, countRecertifyable, async ({ access, query }) =>
    countDue(database, { access, query, now: now() }),
  )

  serveProvenCall(app, recertifyCall, async ({ access, path, input }) =>
    recertify(database, { access, usersHalf, ...path, ...input, now: now() }),
  )
}
