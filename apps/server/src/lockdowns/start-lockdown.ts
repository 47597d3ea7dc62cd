import { doors } from '@portcullis/contract/collections/doors'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import sql, { type Sql } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { readItem } from '../collections/get.ts'
import type { Change } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'
import { changeOfHistory, recordHistory } from '../history/record-history.ts'
import { tableOf } from '../query/columns.ts'
import { changeDoors } from './change-doors.ts'
import { lockDoorsOfPlan } from './doors-of-plan.ts'
import { type LockdownCause, recordLockdown } from './record-lockdown.ts'

type StartInput = { access: Access; plan: string }

const startedPlan = lockdownPlans.entitySchema.pick({ name: true, mayPass: true, endsAfterMinutes: true })

/**
 * Begins a lockdown of the doors that a plan names now, or returns the one that it has already. Waits for no other change of
 * the policy: it takes neither the lock of the account tree nor, while another transaction holds it, the next version.
 */
export async function startLockdown(database: Database, { access, plan }: StartInput) {
  const accounts = [access.account.key]
  // Read with the role limited to this account: users cannot write the events of a start.
  await database.inAccounts(accounts, (tx) => readItem(tx, { collection: lockdownPlans, accounts, id: plan }))
  return database.asSystem(async (tx) => {
    const started = await beginLockdown(tx, { access, plan, by: 'user' })
    prove(tx, access)
    return started
  })
}

/** The user who starts a lockdown, who may have no rights in the console. */
export type Starter = Pick<Access, 'subtree' | 'covered' | 'assumed' | 'requestId'> & {
  account: Pick<Access['account'], 'key' | 'root'>
  person: Pick<Access['person'], '_id' | 'name'>
}

type BeginInput = { access: Starter; plan: string; by: LockdownCause }

/** The same in the system transaction of the caller. */
export async function beginLockdown(tx: Transaction, { access, plan, by }: BeginInput) {
  const accounts = [access.account.key]
  const {
    name,
    mayPass: groups,
    endsAfterMinutes,
  } = startedPlan.parse(await readItem(tx, { collection: lockdownPlans, accounts, id: plan }))
  const id = uuidv7()
  const mayPass = groups.map((group) => group.id)
  // An active one may end before it is read.
  while (!(await insertLockdown(tx, { id, access, plan, name, mayPass, endsAfterMinutes }))) {
    const active = await activeOf(tx, plan)
    if (!active) continue
    return { item: await readItem(tx, { collection: lockdowns, accounts, id: active.id }), entry: undefined }
  }
  const locked = await lockDoorsOfPlan(tx, { plan, access })
  const ids = locked.map((door) => door.id)
  const item = await readItem(tx, { collection: lockdowns, accounts, id })
  const entry = uuidv7()
  const lockdown = { account: access.account.key, name }
  const type = 'administration.lockdown_started'
  const events = await recordLockdown(tx, { type, lockdown, person: access.person, by, doors: locked })
  await changeDoors(tx, {
    access,
    ids,
    update: lockDown(ids, { _id: id, name, mayPass }),
    policyVersion: 'if free',
    furtherChanges: [
      lockdownChange({ id, account: access.account.key }),
      changeOfHistory({ id: entry, account: access.account.key }),
      ...events,
    ],
  })
  await recordHistory(tx, {
    id: entry,
    access,
    account: access.account.key,
    collection: lockdowns.name,
    item: id,
    action: 'create',
    before: null,
    after: item,
    policyVersion: null,
  })
  return { item, entry }
}

export function lockdownChange({ id, account }: { id: string; account: number }): Change {
  return { account, collection: lockdowns.name, item: id, action: 'save', isPolicy: false }
}

type InsertInput = {
  id: string
  access: Starter
  plan: string
  name: string
  mayPass: readonly string[]
  endsAfterMinutes: number | null
}

/** Of two users who start a plan at once, the second waits for the first. */
async function insertLockdown(tx: Transaction, { id, access, plan, name, mayPass, endsAfterMinutes }: InsertInput) {
  const { account, person } = access
  const inserted = await tx.run(
    sql`insert into lockdown (lockdown_id, lockdown_account, lockdown_plan, lockdown_name, lockdown_started_by,
          lockdown_started_by_name, lockdown_may_pass, lockdown_ends_at)
        values (${id}, ${account.key}, ${plan}, ${name}, ${person._id}, ${person.name},
          coalesce((select jsonb_agg(jsonb_build_object('_id', user_group_id, 'name', user_group_name) order by user_group_name)
                      from user_group where user_group_id = any(${[...mayPass]}::uuid[])), '[]'),
          now() + make_interval(mins => ${endsAfterMinutes}::int))
        on conflict (lockdown_plan) where lockdown_ended_at is null do nothing`,
  )
  return inserted === 1
}

function activeOf(tx: Transaction, plan: string) {
  return tx.first(
    z.object({ id: z.uuid() }),
    sql`select lockdown_id as id from lockdown where lockdown_plan = ${plan} and lockdown_ended_at is null`,
  )
}

/** Whether all lockdowns in a list let some users pass. */
export function letsPass(lockdowns: Sql) {
  return sql`(${lockdowns} <> '[]' and not ${lockdowns} @? '$[*] ? (!exists(@.mayPass))')`
}

type StartedLockdown = { _id: string; name: string; mayPass: readonly string[] }

/**
 * A door that is locked down already has nothing to confirm again, unless users may pass who may not then. A door whose own mode
 * is blocked or locked down lets no users pass.
 */
function lockDown(ids: readonly string[], { mayPass, ...lockdown }: StartedLockdown) {
  const until = tableOf(doors).columns.get('modeUntil')?.output
  const [closed, open] = [[lockdown], [mayPass.length > 0 ? { ...lockdown, mayPass } : lockdown]].map((each) =>
    JSON.stringify(each),
  )
  const isShut = sql`coalesce(door_mode_after_lockdown ->> 'mode', door_mode) in ('blocked', 'lockdown')
    and coalesce(case when door_lockdowns = '[]' then door_mode_until
      else (door_mode_after_lockdown ->> 'modeUntil')::timestamptz end > now(), true)`
  return sql`update door set
      door_mode_after_lockdown = case when door_lockdowns = '[]'
        then jsonb_build_object('mode', door_mode, 'modeUntil', ${until}) else door_mode_after_lockdown end,
      door_lockdowns = door_lockdowns || case when ${isShut} then ${closed}::jsonb else ${open}::jsonb end,
      door_mode = 'lockdown', door_mode_until = null,
      door_mode_version = door_mode_version + (door_mode <> 'lockdown' or ${letsPass(sql`door_lockdowns`)})::int,
      door_mode_set_at = case door_mode when 'lockdown' then door_mode_set_at else now() end,
      door_version = door_version + 1, door_updated_at = now()
     where door_id = any(${[...ids]}::uuid[])`
}
