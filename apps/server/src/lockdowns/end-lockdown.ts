import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { readItem } from '../collections/get.ts'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database, Transaction } from '../database/database.ts'
import { lockTree } from '../history/lock-tree.ts'
import { changeOfHistory, recordHistory } from '../history/record-history.ts'
import { repeat } from '../repeat.ts'
import { changeDoors } from './change-doors.ts'
import { demandAllDoors, lockedDoor } from './doors-of-plan.ts'
import { recordLockdown } from './record-lockdown.ts'
import { letsPass, lockdownChange } from './start-lockdown.ts'

type EndInput = { access: Access; id: string }

/** Ends a lockdown; one that has ended stays as it is. */
export async function endLockdown(database: Database, { access, id }: EndInput) {
  const accounts = [access.account.key]
  // Read with the role limited to this account: its doors may have moved to accounts that it does not see.
  await database.inAccounts(accounts, (tx) => readItem(tx, { collection: lockdowns, accounts, id }))
  return database.asSystem(async (tx) => {
    const entry = await end(tx, { id, by: access })
    const item = await readItem(tx, { collection: lockdowns, accounts, id })
    prove(tx, access)
    return { item, entry }
  })
}

const everyMs = 1_000

type EndOverdueOptions = { database: Database; feed: ChangeFeed; log: FastifyBaseLogger }

/** Ends lockdowns whose time is over. Every server checks, and one of them ends each. */
export function startEndingLockdowns({ database, feed, log }: EndOverdueOptions) {
  return repeat({ everyMs, log, failure: 'ending lockdowns failed; will retry' }, async () => {
    const due = await database.asSystem((tx) =>
      tx.rows(
        z.object({ id: z.uuid() }),
        sql`select lockdown_id as id from lockdown where lockdown_ended_at is null and lockdown_ends_at <= now() order by lockdown_ends_at`,
      ),
    )
    for (const { id } of due) {
      await database
        .asSystem((tx) => end(tx, { id, by: undefined }))
        .catch((error: unknown) => log.error({ err: error, lockdown: id }, 'a lockdown could not be ended; will retry'))
    }
    if (due.length > 0) feed.hint()
  })
}

const lockdownRow = z.object({ account: z.int(), root: z.int(), name: z.string() })

/** Returns the entry of history; undefined if the lockdown had ended already. */
async function end(tx: Transaction, { id, by }: { id: string; by: Access | undefined }) {
  const place = await tx.first(
    lockdownRow,
    sql`select lockdown_account as account, account_root as root, lockdown_name as name from lockdown join account on account_key = lockdown_account
         where lockdown_id = ${id}`,
  )
  if (!place) return undefined
  const { account, root, name } = place
  // A compilation that leaves out a door ends its hold, and one that follows must see it.
  lockTree(tx, { root, turn: 'beside' })
  const access = by ?? { person: { _id: null, name: null }, account: { root }, assumed: null, requestId: uuidv7() }
  const ended = await tx.run(
    sql`update lockdown set lockdown_ended_at = now(), lockdown_ended_by = ${access.person._id}::uuid,
          lockdown_ended_by_name = ${access.person.name} where lockdown_id = ${id} and lockdown_ended_at is null`,
  )
  if (ended === 0) return undefined
  const isLocked = sql`door_lockdowns @> ${JSON.stringify([{ _id: id }])}::jsonb`
  const locked = await tx.rows(
    lockedDoor,
    sql`select door_id as id, door_account as account from door where ${isLocked} order by door_id for update`,
  )
  if (by) demandAllDoors(by, { doors: locked })
  const entry = uuidv7()
  const { endedAt, endedBy, endedByName } = await readItem(tx, { collection: lockdowns, accounts: [account], id })
  const ids = locked.map((door) => door.id)
  const events = await recordLockdown(tx, {
    type: 'administration.lockdown_ended',
    lockdown: { account, name },
    person: access.person,
    by: by ? 'user' : 'time',
    doors: locked,
  })
  await changeDoors(tx, {
    access,
    ids,
    update: unlock(ids, id),
    policyVersion: 'next',
    furtherChanges: [lockdownChange({ id, account }), changeOfHistory({ id: entry, account }), ...events],
  })
  await recordHistory(tx, {
    id: entry,
    access,
    account,
    collection: lockdowns.name,
    item: id,
    action: 'patch',
    before: { endedAt: null, endedBy: null, endedByName: null },
    after: { endedAt, endedBy, endedByName },
    policyVersion: null,
  })
  return entry
}

/**
 * The doors return to their own modes, unless another lockdown names them. A hold that is over, or for which the controller has
 * no room now, does not come back, and a door without a controller has no mode of its own.
 */
function unlock(ids: readonly string[], lockdown: string) {
  return sql`with left_by as (
      select door_id as id, rest, rest = '[]' as is_last, door_mode_after_lockdown ->> 'mode' as mode,
             (door_mode_after_lockdown ->> 'modeUntil')::timestamptz as until,
             door_unit is null as is_unwired,
             coalesce(unit_state_left_out -> 'doors' ? door_id::text, false) as is_left_out
        from door left join unit_state on unit_state_id = door_unit cross join lateral (
          select coalesce(jsonb_agg(each), '[]') as rest from jsonb_array_elements(door_lockdowns) each
           where each ->> '_id' <> ${lockdown}) others
       where door_id = any(${[...ids]}::uuid[])),
    own as (
      select id, rest, is_last, case when not is_last then 'lockdown'
          when is_unwired or until <= now() or (mode = 'unlocked' and is_left_out) then 'normal' else coalesce(mode, 'normal') end as mode,
        until
        from left_by)
    update door set door_lockdowns = rest, door_mode = mode,
      door_mode_until = case when mode in ('unlocked', 'blocked') then until end,
      door_mode_after_lockdown = case when is_last then null else door_mode_after_lockdown end,
      door_mode_version = door_mode_version + (mode <> 'lockdown' or ${letsPass(sql`rest`)})::int,
      door_mode_set_at = case mode when 'lockdown' then door_mode_set_at else now() end,
      door_version = door_version + 1, door_updated_at = now()
      from own where door_id = id`
}
