import type { UnitFault } from '@portcullis/contract/collections/units'
import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { storeUnitEvents, recordUnitChanges } from './unit-events.ts'

type FaultOfUnit = {
  unit: string
  account: number
  fault: Exclude<UnitFault, 'behind_policy'>
  highestVersion?: number
}

/** Marks a unit that cannot get its configuration, with an event the first time. Returns whether it is new. */
export async function markFault(tx: Transaction, { unit, fault, highestVersion = 0 }: Omit<FaultOfUnit, 'account'>) {
  const marked = await tx.run(
    sql`update unit_state set unit_state_fault = ${fault} where unit_state_id = ${unit} and unit_state_fault is distinct from ${fault}`,
  )
  if (marked === 0) return false
  const note = fault === 'not_compiled' ? { code: fault } : { code: fault, version: highestVersion }
  await storeUnitEvents(tx, { units: [unit], type: 'unit.sync_failed', data: { note } })
  return true
}

/** Clears this fault of a unit, if it has it. */
export async function clearFault(tx: Transaction, { unit, account, fault }: FaultOfUnit) {
  const cleared = await tx.run(
    sql`update unit_state set unit_state_fault = null where unit_state_id = ${unit} and unit_state_fault = ${fault}`,
  )
  if (cleared > 0) await recordUnitChanges(tx, [{ unit, account }])
}
