import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { endCommands } from './audit-unlocks.ts'

/** `record` is missing where its body can't be read. */
type Records = readonly { record: UnitRecord | undefined }[]
type CommandPeopleInput = { unit: string; records: Records }

/** The users who requested the commands in these records. */
export async function commandPeople(tx: Transaction, { unit, records }: CommandPeopleInput) {
  const commands = commandsIn(records)
  if (commands.length === 0) return new Map<string, string>()
  const rows = await tx.rows(
    z.object({ id: z.uuid(), person: z.uuid().nullable() }),
    prepared(sql`select unit_command_id as id, unit_command_requested_by as person from unit_command
      where unit_command_unit = ${unit} and unit_command_id = any(${commands}::uuid[])`),
  )
  return new Map(rows.flatMap(({ id, person }) => (person === null ? [] : [[id, person]])))
}

/** The query for the users who requested these commands; undefined without a command. */
export function requestersOf({ unit, records }: CommandPeopleInput) {
  const commands = commandsIn(records)
  if (commands.length === 0) return undefined
  return sql`select unit_command_requested_by from unit_command
    where unit_command_unit = ${unit} and unit_command_id = any(${commands}::uuid[])`
}

/** If the answer to a command was lost, the unit's record of the command confirms it. */
export async function confirmByRecord(tx: Transaction, { unit, records }: CommandPeopleInput) {
  const commands = commandsIn(records)
  if (commands.length === 0) return
  await endCommands(tx, {
    set: sql`unit_command_status = 'confirmed', unit_command_detail = null, unit_command_ended_at = now()`,
    where: sql`unit_command_unit = ${unit} and unit_command_id = any(${commands}::uuid[])
      and unit_command_status <> 'confirmed'`,
  })
}

const outcomes = { done: 'confirmed', refused: 'refused', expired: 'expired' } as const

/** Stores the result that a unit reports for a command that it was sent: once, and once more where it came late. */
export function noteResult(tx: Transaction, unit: string, result: Extract<UnitFrame, { type: 'commandResult' }>) {
  const status = outcomes[result.outcome]
  return endCommands(tx, {
    set: sql`unit_command_status = ${status}, unit_command_detail = ${result.detail ?? null},
      unit_command_ended_at = now()`,
    where: sql`unit_command_unit = ${unit} and unit_command_id = ${result.id}
      and unit_command_status in ('sent', 'expired') and unit_command_status <> ${status}`,
  })
}

function commandsIn(records: Records) {
  return records.flatMap(({ record }) => (record?.type === 'door' && record.command ? [record.command] : []))
}
