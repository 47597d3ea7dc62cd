import { exportDoorsOfSites, moveSite } from '@portcullis/contract/calls/sites'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { linksBack } from '@portcullis/contract/fields'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { makeExport } from '../exports/export-items.ts'
import type { RunExport } from '../exports/run-export.ts'
import type { ServeCall } from '../http/serve-call.ts'
import type { Moves } from '../moves/make-moves.ts'
import { planSiteMove } from '../moves/plan-site-move.ts'

type SiteCallsOptions = Pick<ServeCall, 'serveCall'> & {
  database: Database
  runExport: RunExport
  moves: Moves
}

const doorsWithGroups = { ...doors, entitySchema: doors.entitySchema.extend({ groups: linksBack('doorGroups') }) }

/** The calls of sites that are not generic verbs. */
export function registerSiteCalls(app: FastifyInstance, { database, serveCall, runExport, moves }: SiteCallsOptions) {
  const exportItems = makeExport(database, runExport)

  serveCall(app, exportDoorsOfSites, async ({ reply, access, input: body }) => {
    const { type, fileName, file } = await exportItems({
      collection: doorsWithGroups,
      of: { collection: sites, field: 'site' },
      access,
      body,
      lookUp: async (given) => given,
    })
    return reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`).send(file)
  })

  serveCall(app, moveSite, async ({ request, access, query: { preview }, input: { siteId, accountId } }) =>
    moves.move(request, {
      access,
      toAccount: accountId,
      field: 'accountId',
      isPreview: preview === 'true',
      plan: (tx, places) => planSiteMove(tx, { site: siteId, ...places }),
      subject: siteId,
    }),
  )
}
