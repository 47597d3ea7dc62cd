import { doors } from '@portcullis/contract/collections/doors'
import sql, { type Sql } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { type Change, recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { changesOfEntries, type recordHistory, recordHistoryOf } from '../history/record-history.ts'
import { readItems } from '../query/read-items.ts'

/** What a lockdown changes of a door. */
const changedFields = [
  'version',
  'updatedAt',
  'mode',
  'modeUntil',
  'modeVersion',
  'modeSetAt',
  'lockdowns',
  'modeAfterLockdown',
] as const

type ChangeDoorsInput = {
  access: Parameters<typeof recordHistory>[1]['access']
  ids: readonly string[]
  update: Sql
  policyVersion: 'next' | 'if free'
  /** The change of the lockdown itself. */
  furtherChanges: readonly Change[]
}

/** Changes locked doors by one statement, with their history and the outbox: one statement for each table. */
export async function changeDoors(
  tx: Transaction,
  { access, ids, update, policyVersion, furtherChanges }: ChangeDoorsInput,
) {
  const where = sql`door_id = any(${[...ids]}::uuid[])`
  const read = () => readItems(tx, { collection: doors, fields: changedFields, where })
  const [before, , after] = await Promise.all([read(), tx.run(update), read()])
  const earlier = new Map(before.map(({ id, item }) => [id, parsed(item)]))
  const entries = after.map(({ id, account, item }) => ({
    ...difference(earlier.get(id) ?? {}, parsed(item)),
    id: uuidv7(),
    item: id,
    account,
    action: 'patch' as const,
  }))
  const changed = entries.map(({ item, account }): Change => {
    return { account, item, collection: doors.name, action: 'save', isPolicy: doors.isPolicy }
  })
  await recordChanges(tx, [...furtherChanges, ...changed, ...changesOfEntries(entries)])
  recordHistoryOf(tx, { access, collection: doors.name, entries, policyVersion })
}

const fieldsOfItem = z.record(z.string(), z.unknown())

function parsed(item: string) {
  return fieldsOfItem.parse(JSON.parse(item))
}

function difference(before: Record<string, unknown>, after: Record<string, unknown>) {
  const changed = changedFields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  const pick = (item: Record<string, unknown>) => Object.fromEntries(changed.map((field) => [field, item[field]]))
  return { before: pick(before), after: pick(after) }
}
