import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

const periodRow = z.object({ account: z.int(), accountId: z.uuid(), days: z.int() })

/** How often the users of an account are recertified. */
export type Period = z.output<typeof periodRow>

/**
 * The periods of those of the given accounts in which recertification is enforced, set by the nearest account upward as
 * in the access decision (domain, holder-facts.ts). That account may be above the user's scope, so the system role
 * reads it.
 */
export function periodsOf(database: Database, accounts: readonly number[]): Promise<Period[]> {
  return database.asSystem((tx) =>
    tx.rows(
      periodRow,
      sql`select own.account_key as account, own.account_id as "accountId", nearest.days from account own cross join lateral (
            select above.account_recertify_every_days as days
              from account_closure join account above on above.account_key = account_closure_ancestor
             where account_closure_descendant = own.account_key and above.account_recertify_every_days is not null
             order by account_closure_depth limit 1) nearest
           where own.account_key = any(${accounts}::int[])`,
    ),
  )
}
