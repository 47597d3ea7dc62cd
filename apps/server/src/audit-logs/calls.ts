import { type AsOf, historyHeader, type Undone } from '@portcullis/contract/calls/audit-logs'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { resolveAccess } from '../abilities/resolve-access.ts'
import type { ServerHalf } from '../collections/server-half.ts'
import type { Database } from '../database/database.ts'
import type { AccessOf, PersonOf } from '../http/access-of.ts'
import { asOf } from './as-of.ts'
import { undo } from './undo.ts'

type Parts = {
  database: Database
  accessOf: AccessOf
  personOf: PersonOf
  halves: Readonly<Record<string, ServerHalf>>
}

const entryParams = z.object({ id: z.string() })
const itemParams = z.object({ collection: z.string(), id: z.string() })

/** Indexes of history serve the newest entries by these fields. */
export const auditLogsHalf: ServerHalf = { foundBy: [['item'], ['collection'], ['actor'], ['action']] }

/** What the audit log can do besides being read: take a change back, and tell an item as it was. */
export function registerAuditLogCalls(app: FastifyInstance, { database, accessOf, personOf, halves }: Parts) {
  app.post('/api/auditLogs/:id/undo', async (request, reply): Promise<Undone> => {
    const access = await accessOf(request)
    const accessIn = async (account: string) => {
      const person = await personOf(request)
      const inside = await resolveAccess(database, { person, account, allAccounts: 'no', requestId: request.id })
      return { ...inside, assumed: access.assumed }
    }
    const { id } = entryParams.parse(request.params)
    const undone = await undo({ database, halves, accessIn }, { access, id })
    reply.header(historyHeader, undone.entry)
    return undone
  })

  app.get('/api/auditLogs/asOf/:collection/:id', async (request): Promise<AsOf> => {
    const access = await accessOf(request)
    return asOf(database, { access, ...itemParams.parse(request.params), query: request.query })
  })
}
