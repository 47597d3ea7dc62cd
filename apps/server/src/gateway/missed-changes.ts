import { credentials } from '@portcullis/contract/collections/credentials'
import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

/** Of more changes only the latest count; a unit cannot block as many credentials. */
const most = 1_000

const changedRow = z.object({ collection: z.string(), item: z.uuid() })

type MissedChangesInput = { unit: string; applied: { version: number } | null }

/**
 * The users and credentials of a unit's account tree that were changed within the retention of the outbox, the latest at
 * the end. None if the unit applies the desired configuration, and that has all changes.
 */
export async function missedChanges(database: Database, { unit, applied }: MissedChangesInput) {
  // It grants no access.
  if (!applied) return { users: [], credentials: [] }
  const rows = await database.asSystem((tx) =>
    tx.rows(
      changedRow,
      sql`select change_collection as collection, change_item as item
            from unit_state join account own on own.account_key = unit_state_account
            join policy on policy_root = own.account_root
            join account on account.account_root = policy_root
            join change on change_account = account.account_key
             and change_collection in (${users.name}, ${credentials.name}) and change_is_policy
           where unit_state_id = ${unit} and (policy_version > policy_compiled_version or unit_state_fault is not null
             or unit_state_desired_version is distinct from ${applied.version}::int)
           order by change_xid desc, change_id desc limit ${most}`,
    ),
  )
  const itemsOf = (name: string) => rows.filter(({ collection }) => collection === name).map(({ item }) => item)
  return { users: itemsOf(users.name).toReversed(), credentials: itemsOf(credentials.name).toReversed() }
}
