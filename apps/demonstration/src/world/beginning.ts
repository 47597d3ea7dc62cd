import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '@portcullis/server/database/database'
import { firstAccount } from './accounts.ts'
import type { Chronicle } from './chronicle.ts'

const beginningRow = z.object({ root: z.int(), firstAccountId: z.uuid(), administrator: z.uuid() })
export type Beginning = z.output<typeof beginningRow>

/**
 * Creates the first account and its administrator in an empty database. Servers that start together run this one after
 * another, so only the first creates them.
 */
export async function emptyInstallation(tx: Transaction, ref: string) {
  await tx.run(sql`select pg_advisory_xact_lock(7361907)`)
  return tx.first(
    beginningRow,
    sql`select account_key as root, account_id as "firstAccountId", person_id as administrator
          from account join person on person_home = account_key and person_hyper
         where account_ref = ${ref} and not exists (select from site)
           and (select count(*) from account) = 1 and (select count(*) from person) = 1`,
  )
}

/** The account and its administrator exist before their items. */
export function moveBeginning(tx: Transaction, { administrator, firstAccountId, chronicle }: Moved) {
  const [first] = chronicle.entries()
  const began = new Date((first?.at ?? 0) - 600_000).toISOString()
  return tx.run(
    sql`with person as (update person set person_created_at = ${began} where person_id = ${administrator}),
             membership as (update membership set membership_created_at = ${began}, membership_updated_at = ${began}
                             where membership_user = ${administrator})
        update account set account_created_at = ${began}, account_updated_at = ${began},
               account_recertify_every_days = ${firstAccount.recertifyEveryDays}
         where account_id = ${firstAccountId}`,
  )
}

type Moved = Beginning & { chronicle: Chronicle }
