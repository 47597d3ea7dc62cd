import { hyperRules } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../../abilities/access.ts'
import type { Transaction } from '../../database/database.ts'

const accountRow = z.object({
  _id: z.uuid(),
  key: z.int(),
  ref: z.string(),
  name: z.string(),
  root: z.int(),
  defaultTimeZone: z.string(),
  subtree: z.array(z.int()),
})

/** The administrator acting in one of the accounts, so that history names somebody. */
export async function accountAccess(
  tx: Transaction,
  { administrator, ref }: { administrator: string; ref: string },
): Promise<Access> {
  const found = await tx.first(
    accountRow,
    sql`select account_id as _id, account_key as key, account_ref as ref, account_name as name, account_root as root,
           account_default_time_zone as "defaultTimeZone",
           array(select account_closure_descendant from account_closure
                  where account_closure_ancestor = account_key) as subtree
          from account where account_ref = ${ref}`,
  )
  if (!found) throw new Error(`there is no account ${ref}`)
  const { subtree, ...account } = found
  return {
    person: { _id: administrator, name: 'Administrator', hyper: true },
    account,
    assumed: null,
    role: null,
    inherited: false,
    rules: hyperRules,
    subtree,
    reads: [account.key],
    requestId: 'demonstration',
  }
}
