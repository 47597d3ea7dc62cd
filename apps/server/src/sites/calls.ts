import { exportDoorsOfSites } from '@portcullis/contract/calls/sites'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { linksBack } from '@portcullis/contract/fields'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { makeExport } from '../exports/export-items.ts'
import type { RunExport } from '../exports/run-export.ts'
import type { ServeCall } from '../http/serve-call.ts'

type SiteCallsOptions = Pick<ServeCall, 'serveCall'> & { database: Database; runExport: RunExport }

const doorsWithGroups = { ...doors, entitySchema: doors.entitySchema.extend({ groups: linksBack('doorGroups') }) }

/** The calls of sites that are not generic verbs. */
export function registerSiteCalls(app: FastifyInstance, { database, serveCall, runExport }: SiteCallsOptions) {
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
}
