import { rulesOfRole } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '@portcullis/server/abilities/access'
import type { Database } from '@portcullis/server/database/database'
import { signIns } from '../world/circumstances.ts'
import { hands } from '../world/hands.ts'

const found = z.object({
  person: z.object({ _id: z.uuid(), name: z.string() }),
  account: z.object({
    _id: z.uuid(),
    key: z.int(),
    ref: z.string(),
    name: z.string(),
    root: z.int(),
    defaultTimeZone: z.string(),
  }),
  subtree: z.array(z.int()),
})

/** The demonstration's installer at work in an account; undefined where somebody has removed them, or changed their role. */
export async function installerAccess(database: Database, account: number): Promise<Access | undefined> {
  const row = await database.asSystem((tx) =>
    tx.first(
      found,
      sql`select json_build_object('_id', person_id, 'name', person_name) as person,
             json_build_object('_id', account_id, 'key', account_key, 'ref', account_ref, 'name', account_name,
               'root', account_root, 'defaultTimeZone', account_default_time_zone) as account,
             array(select account_closure_descendant from account_closure
                    where account_closure_ancestor = account_key) as subtree
            from account join account_closure on account_closure_descendant = account_key
            join membership on membership_account = account_closure_ancestor
            join person on person_id = membership_user
           where account_key = ${account} and person_email = ${signIns[hands.installer]?.email ?? ''}
             and membership_role = ${role} and membership_status = 'active'`,
    ),
  )
  return (
    row && {
      ...row,
      person: { ...row.person, hyper: false },
      assumed: null,
      role,
      inherited: false,
      rules: rulesOfRole(role),
      covered: row.subtree,
      reads: [row.account.key],
      requestId: uuidv7(),
    }
  )
}

const role = 'installer'
