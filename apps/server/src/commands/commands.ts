import { type DoorCommand, doorCommand } from '@portcullis/contract/calls/units'
import { doors } from '@portcullis/contract/collections/doors'
import sql, { type Sql } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { type AccessProof, prove } from '../abilities/access-proof.ts'
import { recordChanges } from '../changes/record-change.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Actor } from '../history/record-history.ts'
import { actorJson, auditUnlock, endCommands } from './audit-unlocks.ts'
import { demandRoomForDoor } from './left-out-door.ts'

const defaultTimeToLiveSeconds = 10
/** The unit's answer may still be on its way when the command has expired. */
const answerSeconds = 5
/** The entity under which the outbox notifies every server that a unit has a command waiting. */
export const commandsInOutbox = 'unitCommands'

type RequestUnlockOnceInput = {
  door: string
  account: number
  actor: Actor
  /** Of the rights to request it. */
  proof?: AccessProof | undefined
  timeToLiveSeconds?: number
}

/** Requests that a door of the account be unlocked once, soon or not at all: at a unit that is not connected the request fails at once. The request and its outcome are in the audit log. */
export async function requestUnlockOnce(
  database: Database,
  { door, account, actor, proof, timeToLiveSeconds = defaultTimeToLiveSeconds }: RequestUnlockOnceInput,
) {
  const place = await database.inAccounts([account], (tx) =>
    tx.first(
      z.object({ unit: z.uuid().nullable(), number: z.int().nullable() }),
      sql`select door_unit as unit, door_unit_door as number from door
           where door_id = ${door} and ${belongsTo(tableOf(doors), [account])}`,
    ),
  )
  if (!place) throw new AppError('not_found')
  return database.asSystem(async (tx): Promise<DoorCommand> => {
    const command = await unlockOnce(tx, { door, account, actor, timeToLiveSeconds, ...place })
    prove(tx, { proof })
    return command
  })
}

type UnlockOnceInput = Pick<RequestUnlockOnceInput, 'door' | 'account' | 'actor' | 'timeToLiveSeconds'> & {
  unit: string | null
  number: number | null
}

/** The same inside a system transaction, for a door with this wiring. */
export async function unlockOnce(
  tx: Transaction,
  { door, account, actor, unit, number, timeToLiveSeconds = defaultTimeToLiveSeconds }: UnlockOnceInput,
) {
  if (unit === null || number === null) throw new AppError('door_unwired')
  await demandRoomForDoor(tx, { account, door })
  const expires = sql`now() + make_interval(secs => ${timeToLiveSeconds})`
  const requestedBy = actor.person._id
  const id = await insertUnlock(tx, { account, door, unit, unitDoor: number, requestedBy, actor, expires })
  await endUnlessConnected(tx, { id, unit })
  const command = await readCommand(tx, { id, accounts: [account] })
  await auditUnlock(tx, { ...command, id, account, actor, outcome: command.status })
  return command
}

function endUnlessConnected(tx: Transaction, { id, unit }: { id: string; unit: string }) {
  return tx.run(
    sql`update unit_command set unit_command_ended_at = now(), unit_command_status = 'not_delivered',
          unit_command_detail = 'not_connected'
        where unit_command_id = ${id}
          and not exists (select from unit_state where unit_state_id = ${unit} and unit_state_status = 'online')`,
  )
}

type Unlock = { account: number; door: string; unit: string; unitDoor: number; requestedBy: string; actor?: Actor }

/** Has a door unlocked once by its unit, until the given time or not at all, for a decision that has its own entry in the audit log. Returns the command's id. */
export function giveUnlock(tx: Transaction, { expiresAt, ...unlock }: Unlock & { expiresAt: string }) {
  return insertUnlock(tx, { ...unlock, expires: sql`${expiresAt}::timestamptz` })
}

async function insertUnlock(
  tx: Transaction,
  { account, door, unit, unitDoor, requestedBy, actor, expires }: Unlock & { expires: Sql },
) {
  const id = uuidv7()
  await tx.run(
    sql`insert into unit_command (unit_command_id, unit_command_account, unit_command_unit, unit_command_door,
          unit_command_unit_door, unit_command_action, unit_command_requested_by, unit_command_expires_at, unit_command_actor)
        values (${id}, ${account}, ${unit}, ${door}, ${unitDoor}, 'unlockOnce', ${requestedBy}, ${expires}, ${actor ? actorJson(actor) : null}::jsonb)`,
  )
  await recordChanges(tx, [{ account, collection: commandsInOutbox, item: unit, action: 'save', isPolicy: false }])
  return id
}

const commandAccount = sql`unit_command_account`

export async function readCommand(tx: Transaction, { id, accounts }: { id: string; accounts: readonly number[] }) {
  const command = await tx.first(
    doorCommand,
    sql`select unit_command_id as _id, unit_command_door as door, unit_command_action as action,
           unit_command_status as status, unit_command_detail as detail, unit_command_requested_at as "requestedAt",
           unit_command_expires_at as "expiresAt", unit_command_sent_at as "sentAt", unit_command_ended_at as "endedAt"
          from unit_command where unit_command_id = ${id} and ${belongsTo({ account: commandAccount }, accounts)}`,
  )
  if (!command) throw new AppError('not_found')
  return command
}

const dueRow = z.object({
  id: z.uuid(),
  action: z.literal('unlockOnce'),
  door: z.int(),
  doorId: z.uuid(),
  timeToLiveMs: z.int(),
  request: z
    .uuid()
    .nullable()
    .transform((id) => id ?? undefined),
})
export type DueCommand = z.output<typeof dueRow>

const doorOfCommand = sql`select from door where door_id = unit_command_door`
/** Its door is still at the port for which the command was given. */
const isWired = sql`exists (${doorOfCommand} and door_unit = unit_command_unit and door_unit_door = unit_command_unit_door)`

/** Takes the commands that wait for a unit, to be sent now. No other server sends them, and none is sent twice. */
export function takeCommands(database: Database, unit: string) {
  return database.asSystem((tx) =>
    tx.rows(
      dueRow,
      sql`update unit_command set unit_command_status = 'sent', unit_command_sent_at = clock_timestamp()
           where unit_command_unit = ${unit} and unit_command_status = 'requested'
             and unit_command_expires_at > clock_timestamp() and ${isWired}
          returning unit_command_id as id, unit_command_action as action, unit_command_unit_door as door,
            unit_command_door as "doorId", greatest(1,
            floor(extract(epoch from unit_command_expires_at - clock_timestamp()) * 1000))::int as "timeToLiveMs",
            (select task_unit_request from task where task_command = unit_command_id) as request`,
    ),
  )
}

export async function unitsWithCommands(database: Database, units: readonly string[]) {
  const rows = await database.asSystem((tx) =>
    tx.rows(
      z.object({ unit: z.uuid() }),
      sql`select distinct unit_command_unit as unit from unit_command
           where unit_command_status = 'requested' and unit_command_expires_at > now()
             and unit_command_unit = any(${[...units]}::uuid[])`,
    ),
  )
  return rows.map(({ unit }) => unit)
}

/** Ends the commands that can no longer run: never delivered, or never answered. */
export function expireCommands(database: Database) {
  return database.asSystem((tx) =>
    endCommands(tx, {
      set: sql`unit_command_ended_at = now(),
        unit_command_status = case unit_command_status when 'requested' then 'not_delivered' else 'expired' end,
        unit_command_detail = case when unit_command_status = 'sent' then 'no_answer'
          when not exists (${doorOfCommand}) then 'door_deleted' when not ${isWired} then 'door_rewired'
          else 'not_connected' end`,
      where: sql`(unit_command_status = 'requested'
          and (unit_command_expires_at <= now() or not ${isWired}))
        or (unit_command_status = 'sent' and unit_command_expires_at <= now() - make_interval(secs => ${answerSeconds}))`,
    }),
  )
}
