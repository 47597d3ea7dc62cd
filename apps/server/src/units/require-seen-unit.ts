import { units } from '@portcullis/contract/collections/units'
import sql from 'sql-template-tag'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'

/** Refuses a controller outside the current account, before work that the server does with rights of its own. */
export async function requireSeenUnit(database: Database, { access, unit }: { access: Access; unit: string }) {
  const accounts = [access.account.key]
  const seen = await database.inAccounts(accounts, (tx) =>
    tx.run(sql`select from unit where unit_id = ${unit} and ${belongsTo(tableOf(units), accounts)}`),
  )
  if (seen === 0) throw new AppError('not_found')
}
