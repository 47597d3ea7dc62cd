import type { Collection } from '@portcullis/contract/collection'
import type { exportRequest } from '@portcullis/contract/export-request'
import type { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { recordChanges } from '../changes/record-change.ts'
import type { Database } from '../database/database.ts'
import { recordAdministration } from '../history/record-administration.ts'
import { recordHistory } from '../history/record-history.ts'

/** What of an export reached its reader. */
export type Sent = { rows: number; isWhole: boolean }

type Exported = {
  collection: Collection
  access: Access
  asked: z.output<typeof exportRequest>
  columns: readonly string[]
  timeZone: string
  sent: Sent
}

/** Tells who took which list away: in the audit log, in the account where they stood, and as an event of that account. */
export function leaveTrace(database: Database, { collection, access, asked, columns, timeZone, sent }: Exported) {
  const { format, filter = null, sort = null, search = null } = asked
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
    const told = await recordAdministration(tx, {
      account,
      type: 'administration.exported',
      person: access.person._id,
      data: { names: { user: access.person.name }, export: { collection: collection.name, format, ...sent } },
    })
    await recordChanges(tx, [logged, told])
  })
}
