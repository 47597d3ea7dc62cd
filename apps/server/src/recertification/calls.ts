import {
  countRecertifyable,
  recertify as recertifyCall,
  recertifyable,
  type RecertifyDecision,
} from '@portcullis/contract/calls/recertification'
import type { FastifyInstance } from 'fastify'
import type { ServerHalf, Writing } from '../collections/server-half.ts'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { countDue } from './count-due.ts'
import { listRecertifyable } from './list-recertifyable.ts'
import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { type Access, demand } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { recordChanges } from '../changes/record-change.ts'
import { patchItem } from '../collections/patch.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'

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

type Asked = { access: Access; usersHalf: ServerHalf; id: string; decision: RecertifyDecision; now: number }

/**
 * Decides about somebody's membership in the current account: their days begin anew, or they are suspended, which takes what
 * any suspension takes. Nobody decides about themselves. Units hear of either as of any change of the policy.
 */
function recertify(database: Database, { access, usersHalf, id, decision, now }: Asked) {
  const isKept = decision === 'keep'
  if (!isKept) demand(access, { action: 'manage', subject: users.subject })
  const half: ServerHalf = {
    async beforePatch(writing, change) {
      if (change.before['_id'] === access.person._id) throw ownAccess()
      if (isKept) await tellRecertified(writing, change.before)
      return (await usersHalf.beforePatch?.(writing, change)) ?? {}
    },
  }
  const changes = isKept ? { lastRecertifiedAt: new Date(now).toISOString() } : { status: 'suspended' }
  return workAs(database, access, (tx) =>
    patchItem(tx, { collection: users, half, access, id, changes, expected: undefined }),
  )
}

function ownAccess() {
  return new AppError('own_access')
}

/** As an event too, besides the entry of the audit log: who answers for whose access is what is asked for first. */
async function tellRecertified({ tx, access }: Writing, { _id, name }: Item) {
  const event = uuidv7()
  const account = access.account.key
  const data = JSON.stringify({ names: { user: name }, detail: `Recertified by ${access.person.name}.` })
  await tx.run(sql`select tell_recertified(${event}, ${account}, ${_id}, ${data})`)
  await recordChanges(tx, [{ account, collection: 'events', item: event, action: 'save', isPolicy: false }])
}
