import { tasks } from '@portcullis/contract/collections/tasks'
import sql, { empty } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { grantObstacles } from '@portcullis/contract/errors/business-rules'
import { doorModes } from '@portcullis/domain/policy'
import { modeAt } from '@portcullis/domain/decision/door-mode'
import type { Access } from '../abilities/access.ts'
import { stillHolds } from '../abilities/access-proof.ts'
import { readItem } from '../collections/get.ts'
import { isLeftOutDoor } from '../commands/left-out-door.ts'
import type { Database, Transaction } from '../database/database.ts'
import { changeOfHistory, type Item, recordHistory } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'
import { endedColumns, notifyUnits } from './end-request.ts'
import { endedRow } from './expire-requests.ts'
import { isOpen, type LockedRequest, lockRequest, tooLate } from './lock-request.ts'
import { recordRemoteEvents } from './record-remote-events.ts'

/** Creates the unlock command for a granted request; returns its id. */
export type GiveUnlock = (tx: Transaction, command: UnlockInput) => Promise<string>
export type UnlockInput = {
  account: number
  door: string
  unit: string
  unitDoor: number
  requestedBy: string
  expiresAt: string
}

type DecideRequestOptions = { database: Database; giveUnlock: GiveUnlock }
type DecideRequestInput = { access: Access; id: string; grant: boolean }

/**
 * Grants or denies a request: only once, even if several users decide concurrently, and never one's own. A grant is
 * checked against the current state; if something prevents it, the request stays open.
 */
export async function decideRequest(
  { database, giveUnlock }: DecideRequestOptions,
  { access, id, grant }: DecideRequestInput,
) {
  const account = access.account.key
  // Read with the role limited to this account: the role that decides sees all accounts.
  await database.inAccounts([account], (tx) => readItem(tx, { collection: tasks, accounts: [account], id }))
  return database.asSystem(async (tx) => {
    const request = await lockRequest(tx, { id, account })
    await demandCurrentRights(tx, access)
    if (request.user === access.person._id) throw new AppError('own_request')
    const item = () => readItem(tx, { collection: tasks, accounts: [account], id })
    const before = await item()
    if (!isOpen(request)) throw tooLate(before, request)
    if (!grant) return storeDecision(tx, { access, id, before, granted: undefined })
    const obstacle = await obstacleToGrant(tx, { account, ...request })
    if (obstacle !== undefined) throw new AppError(obstacle)
    return storeDecision(tx, { access, id, before, granted: await unlock(tx, request) })
  })

  function unlock(tx: Transaction, { door, unit, unitDoor, unlockUntil }: LockedRequest) {
    if (unit === null || unitDoor === null) throw new AppError('door_unwired')
    const wired = { account, door, unit, unitDoor }
    return giveUnlock(tx, { ...wired, requestedBy: access.person._id, expiresAt: unlockUntil })
  }
}

/** Refuses if the user lost their rights while this waited for the lock. */
async function demandCurrentRights(tx: Transaction, { proof }: Access) {
  if (!proof) return
  const row = await tx.first(z.object({ holds: z.boolean().nullable() }), sql`select ${stillHolds(proof)} as holds`)
  if (row?.holds) return
  throw new AppError('rights_changed')
}

type StoreDecisionInput = { access: Access; id: string; before: Item; granted: string | undefined }

/** Stores the decision, with the command of a grant: request, event, history and outbox in one transaction. */
async function storeDecision(tx: Transaction, { access, id, before, granted }: StoreDecisionInput) {
  const { person, account } = access
  const isGrant = granted !== undefined
  const command = isGrant ? sql`, task_command = ${granted}, task_delivery = 'waiting'` : empty
  const ended = await tx.rows(
    endedRow,
    sql`update task set task_status = ${isGrant ? 'Granted' : 'Denied'}, task_decided_by = ${person._id},
           task_decided_by_name = ${person.name}, task_decided_at = clock_timestamp() ${command}
         where task_id = ${id} returning ${endedColumns}`,
  )
  const entry = uuidv7()
  await recordRemoteEvents(tx, {
    tasks: ended,
    type: isGrant ? 'access.remote_granted' : 'access.remote_denied',
    furtherChanges: [changeOfHistory({ id: entry, account: account.key }), ...(isGrant ? [] : notifyUnits(ended))],
  })
  const item = await readItem(tx, { collection: tasks, accounts: [account.key], id })
  const changed = Object.keys(item).filter((field) => JSON.stringify(item[field]) !== JSON.stringify(before[field]))
  const pick = (from: Item) => Object.fromEntries(changed.map((field) => [field, from[field]]))
  await recordHistory(tx, {
    id: entry,
    access,
    account: account.key,
    collection: tasks.name,
    item: id,
    action: 'patch',
    before: pick(before),
    after: pick(item),
    policyVersion: null,
  })
  return { item, entry }
}

type Obstacle = (typeof grantObstacles)[number]

type Request = { account: number; door: string; user: string; unit: string | null; unitDoor: number | null }

const doorRow = z.object({
  unit: z.uuid().nullable(),
  unitDoor: z.int().nullable(),
  enabled: z.boolean(),
  mode: z.enum(doorModes),
  modeUntil: z.iso.datetime().nullable(),
  inService: z.boolean().nullable(),
  now: z.iso.datetime(),
  isLeftOut: z.boolean(),
  isRequesterActive: z.boolean(),
})

/**
 * The change since a request was raised that prevents a grant, if any. Waits for a concurrent change of the door.
 */
async function obstacleToGrant(
  tx: Transaction,
  { account, door: id, user, ...wired }: Request,
): Promise<Obstacle | undefined> {
  const door = await tx.first(
    doorRow,
    sql`select door_unit as unit, door_unit_door as "unitDoor", door_enabled as enabled, door_mode as mode,
           door_mode_until as "modeUntil", clock_timestamp() as now,
           (select unit_in_service from unit where unit_id = door_unit) as "inService",
           ${isLeftOutDoor} as "isLeftOut", ${isActive({ user, account })} as "isRequesterActive"
          from door where door_id = ${id} and door_account = ${account} for share`,
  )
  if (!door) return 'door_left_account'
  if (door.unit !== wired.unit || door.unitDoor !== wired.unitDoor) return 'door_rewired'
  if (door.isLeftOut) return 'door_left_out'
  if (!door.enabled) return 'door_disabled'
  if (door.inService === false) return 'unit_out_of_service'
  if (!door.isRequesterActive) return 'requester_inactive'
  return obstacleOf(modeAt(door, Date.parse(door.now)))
}

function obstacleOf(mode: (typeof doorModes)[number]): Obstacle | undefined {
  switch (mode) {
    case 'lockdown':
      return 'door_locked_down'
    case 'blocked':
      return 'door_blocked'
    case 'normal':
    case 'unlocked':
      return undefined
  }
}

/** Whether the user has an active membership, valid now, in the tree of the account; hyper users always count. */
function isActive({ user, account }: { user: string; account: number }) {
  return sql`exists (select from person where person_id = ${user} and (person_hyper or exists (
    select from membership join account on account_key = membership_account
     where membership_user = person_id and membership_status = 'active' and not membership_waits
       and account_root = (select account_root from account where account_key = ${account})
       and (membership_valid_from is null or membership_valid_from <= clock_timestamp())
       and (membership_valid_until is null or membership_valid_until > clock_timestamp()))))`
}
