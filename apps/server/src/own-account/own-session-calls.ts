import {
  endOtherSessions as endOthersCall,
  endOwnSession as endCall,
  ownSessions as sessionsCall,
  type OwnSignIn,
  ownSignIns as signInsCall,
} from '@portcullis/contract/calls/own-sessions'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { endOtherSessions, endOwnSession, ownSessions } from './own-sessions.ts'
import { type EventData, eventData } from '@portcullis/contract/collections/events'
import sql from 'sql-template-tag'
import { z } from 'zod'

type Parts = Pick<ServeCall, 'serveCall'> & { database: Database }

/** The sessions of the current user, and the attempts to sign in. */
export function registerOwnSessionCalls(app: FastifyInstance, { database, serveCall }: Parts) {
  serveCall(app, sessionsCall, async ({ person }) => ownSessions(database, person))

  serveCall(app, endCall, async ({ person, path: { id } }) => endOwnSession(database, { person: person._id, id }))

  serveCall(app, endOthersCall, async ({ person }) => ({ ended: await endOtherSessions(database, person) }))

  serveCall(app, signInsCall, async ({ person }) => ownSignIns(database, person._id))
}

const mostShown = 100

const row = z.object({ at: z.iso.datetime(), type: z.string(), data: eventData })

/** The last tries to sign in as somebody, the newest first: the events that their home account has of them. */
async function ownSignIns(database: Database, person: string): Promise<OwnSignIn[]> {
  const rows = await database.asSystem((tx) =>
    tx.rows(
      row,
      sql`select event_occurred_at as at, event_type as type, event_data as data
            from event
           where event_account = (select person_home from person where person_id = ${person}) and event_user = ${person}
             and event_type in ('administration.signed_in', 'administration.sign_in_failed')
           order by event_occurred_at desc, event_id desc limit ${mostShown}`,
    ),
  )
  return rows.map(({ at, type, data }) => ({
    at,
    outcome: type === 'administration.signed_in' ? 'signed_in' : failureOf(data),
    address: data.address ?? null,
    device: data.device ?? null,
  }))
}

function failureOf({ refusal = 'wrong_password' }: EventData) {
  return refusal
}
