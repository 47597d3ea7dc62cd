import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

const periodRow = z.object({ account: z.int(), accountId: z.uuid(), days: z.int() })

/** How often the people of an account are recertified. */
export type Period = z.output<typeof periodRow>

/**
 * The periods of those of these accounts in which recertification is enforced, as the decision has them (domain, holder-facts.ts):
 * by the nearest account upward that says so. It may lie above what somebody sees, so the system looks it up.
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
