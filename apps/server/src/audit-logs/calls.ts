import { asOf as asOfCall, undoChange } from '@portcullis/contract/calls/audit-logs'
import type { FastifyInstance } from 'fastify'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import type { Database } from '../database/database.ts'
import { accessInOf } from '../http/access-in.ts'
import type { PersonOf } from '../http/access-of.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { asOf } from './as-of.ts'
import { undo } from './undo.ts'

type AuditLogCallOptions = Pick<ServeCall, 'serveCall'> & {
  database: Database
  personOf: PersonOf
  hooksByCollection: Readonly<Record<string, CollectionHooks>>
}

/** History has indexes for the newest entries by these fields. */
export const auditLogHooks: CollectionHooks = { foundBy: [['item'], ['collection'], ['actor'], ['action']] }

/** The calls of the audit log: undo a change, and get an item as it was. */
export function registerAuditLogCalls(
  app: FastifyInstance,
  { database, serveCall, personOf, hooksByCollection }: AuditLogCallOptions,
) {
  serveCall(app, undoChange, async ({ request, access, path }) => {
    const resolved = accessInOf({ database, personOf }, request)
    const accessIn = async (account: string) => ({ ...(await resolved(account)), assumed: access.assumed })
    const item = await undo({ database, hooksByCollection, accessIn }, { access, ...path })
    return { item, entry: item.entry }
  })

  serveCall(app, asOfCall, async ({ access, path, query }) => asOf(database, { access, ...path, ...query }))
}
