import type { EventType } from '@portcullis/contract/event-types'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { type EventRow, eventRow } from './event-row.ts'
import { storeEvents } from './store-events.ts'

const unitRow = z.object({
  unit: z.uuid(),
  account: z.int(),
  name: z.string(),
  site: z.uuid().nullable(),
  siteName: z.string().nullable(),
})

type UnitEventsInput = { units: readonly string[]; type: EventType; data?: Omit<EventRow['data'], 'names'> }

/** Stores an event of the units themselves, at the current time, and announces that they have changed. */
export async function storeUnitEvents(tx: Transaction, { units, type, data }: UnitEventsInput) {
  if (units.length === 0) return
  const rows = await tx.rows(
    unitRow,
    sql`select unit_id as unit, unit_account as account, unit_name as name, unit_site as site, site_name as "siteName"
          from unit left join site on site_id = unit_site where unit_id = any(${[...units]}::uuid[])`,
  )
  const occurredAt = new Date().toISOString()
  storeEvents(
    tx,
    rows.map(({ name, siteName, ...row }) =>
      eventRow({ ...row, type, occurredAt, data: { ...data, names: { unit: name, site: siteName } } }),
    ),
  )
  await recordUnitChanges(tx, rows)
}

/** Announces in the outbox that the state of units has changed. */
export function recordUnitChanges(tx: Transaction, units: readonly { unit: string; account: number }[]) {
  return recordChanges(
    tx,
    units.map(({ unit, account }) => ({ account, collection: 'units', item: unit, action: 'save', isPolicy: false })),
  )
}
