import sql from 'sql-template-tag'
import type { Change } from '../changes/record-change.ts'
import { outcomesInOutbox } from '../changes/unit-outcomes.ts'

export type EndedRequest = { id: string; account: number; unit: string | null; unitRequest: string | null }

/** What of an ended request is read back, so that its controller can be told. */
export const endedColumns = sql`task_id as id, task_account as account, task_unit as unit, task_unit_request as "unitRequest"`

/** Tells the controller that raised a request, where one did, that it ended without a grant. */
export function tellUnits(ended: readonly EndedRequest[]): Change[] {
  return ended.flatMap(({ account, unit, unitRequest }) => {
    if (unit === null || unitRequest === null) return []
    return [{ account, collection: outcomesInOutbox, item: unit, action: 'save' as const, isPolicy: false }]
  })
}
