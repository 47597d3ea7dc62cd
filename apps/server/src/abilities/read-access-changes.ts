import { isAllowed, roles } from '@portcullis/contract/abilities'
import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { accessChangesOfMove } from './access-changes-of-move.ts'
import type { AccessAt } from './resolve-access.ts'

const heldRow = z.object({ _id: z.uuid(), name: z.string(), account: z.int(), role: z.enum(roles) })

/**
 * The keys from an account up to its root, before and after a move; users whose roles before and after are in the accounts
 * `visible` are named.
 */
type Move = { before: readonly number[]; after: readonly number[]; visible: readonly number[] }

export type AccessChanges = ReturnType<typeof accessChangesOfMove>

/** The accounts from this one upward whose users the user may see by the role that applies here. */
export function visibleUpward({ person, rules, upward, heldAt }: AccessAt) {
  if (!isAllowed(rules, { action: 'view', subject: users.subject })) return []
  return person.hyper || heldAt === null ? upward : upward.slice(0, upward.indexOf(heldAt) + 1)
}

/** Compares the roles above the old and the new place, for users with at least one role other than app user. */
export function readAccessChanges(database: Database, { before, after, visible }: Move): Promise<AccessChanges> {
  const keys = [...new Set([...before, ...after])]
  return database.asSystem(async (tx) => {
    const held = await tx.rows(
      heldRow,
      sql`with counting as (
            select membership_user, membership_account, membership_role from membership
             where membership_account = any(${keys}::int[]) and membership_status = 'active' and not membership_waits
               and (membership_valid_from is null or membership_valid_from <= now())
               and (membership_valid_until is null or membership_valid_until > now()))
          select person_id as _id, person_name as name, membership_account as account, membership_role as role
            from counting join person on person_id = membership_user
           where exists (select from counting other where other.membership_user = person_id
                           and other.membership_role <> 'appUser')`,
    )
    const suspended = await tx.rows(
      z.object({ key: z.int() }),
      sql`select account_key as key from account where account_key = any(${keys}::int[]) and account_status = 'suspended'`,
    )
    return accessChangesOfMove({ before, after, visible, held, suspended: new Set(suspended.map(({ key }) => key)) })
  })
}
