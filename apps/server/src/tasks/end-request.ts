import sql from 'sql-template-tag'
import type { Change } from '../changes/record-change.ts'
import { outcomesInOutbox } from '../changes/unit-outcomes.ts'

export type EndedRequest = { id: string; account: number; unit: string | null; unitRequest: string | null }

/** The columns of an ended request that are needed to notify its controller. */
export const endedColumns = sql`task_id as id, task_account as account, task_unit as unit, task_unit_request as "unitRequest"`

/** Notifies the controller that raised a request, if any, that it ended without a grant. */
export function notifyUnits(ended: readonly EndedRequest[]): Change[] {
  return ended.flatMap(({ account, unit, unitRequest }) => {
    if (unit === null || unitRequest === null) return []
    return [{ account, collection: outcomesInOutbox, item: unit, action: 'save' as const, isPolicy: false }]
  })
}
