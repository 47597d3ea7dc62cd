import type { Collection } from '@portcullis/contract/collection'
import type { ExportFormat, exportRequest } from '@portcullis/contract/export-request'
import type { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { recordChanges } from '../changes/record-change.ts'
import type { Database } from '../database/database.ts'
import { recordAdministration } from '../history/record-administration.ts'
import { recordHistory } from '../history/record-history.ts'

/** How much of an export was sent. */
export type Sent = { rows: number; isWhole: boolean }

type LeaveTraceInput = {
  collection: Collection
  access: Access
  request: Omit<Partial<z.output<typeof exportRequest>>, 'format'> & { format: ExportFormat | 'ics' }
  columns: readonly string[]
  timeZone: string
  sent: Sent
}

/** Records who exported which list: in the audit log of the current account, and as an event of that account. */
export function recordExport(
  database: Database,
  { collection, access, request, columns, timeZone, sent }: LeaveTraceInput,
) {
  const { format, filter = null, sort = null, search = null } = request
  const account = access.account.key
  const isOfAll = access.reads.length > 1
  return database.asSystem(async (tx) => {
    const logged = await recordHistory(tx, {
      access,
      account,
      collection: collection.name,
      item: null,
      action: 'export',
      before: null,
      after: { format, filter, sort, search, columns, timeZone, allAccounts: isOfAll, ...sent },
      policyVersion: null,
    })
    const event = await recordAdministration(tx, {
      account,
      type: 'administration.exported',
      person: access.person._id,
      data: { names: { user: access.person.name }, export: { collection: collection.name, format, ...sent } },
    })
    await recordChanges(tx, [logged, event])
  })
}
