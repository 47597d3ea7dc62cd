import { isValidCard, plansStartedByCard } from '@portcullis/domain/decision/lockdown-cards'
import { decisionSteps, findingOutcomes } from '@portcullis/domain/decision/reasons'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { EventRow } from './event-row.ts'
import type { OpenFrame } from './open-frame.ts'

/** An older event starts no lockdown: the emergency may be over. */
const lateAfterMs = 10_000

const findings = z.array(z.object({ step: z.literal(decisionSteps), outcome: z.literal(findingOutcomes) }))

/**
 * Stores which plans the credentials in a frame start, in one order for all frames; a job starts them. After the events, in their transaction, so each
 * event counts once, however often its unit sends it.
 */
export function storeLockdownCards(
  tx: Transaction,
  { frame, events }: { frame: OpenFrame; events: readonly EventRow[] },
) {
  if (frame.index.lockdownPlans.size === 0) return
  const rows = events.flatMap((event) => {
    const { _id, category, door, user, data } = event
    if (category !== 'access' || door === null || user === null || isLate(frame, event)) return []
    const plans = plansStartedByCard(frame.index, { door, user })
    if (plans.length === 0 || !isValidCard(findings.parse(event.reasons))) return []
    return plans.map((plan) => ({ event: _id, plan, user, name: data.names.user ?? '' }))
  })
  if (rows.length === 0) return
  tx.send(
    sql`insert into lockdown_card (lockdown_card_event, lockdown_card_plan, lockdown_card_user, lockdown_card_user_name)
        select event, plan, "user", name
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (event uuid, plan uuid, "user" uuid, name text)
         order by plan
            on conflict (lockdown_card_plan) do nothing`,
  )
}

/** By the clock of the server: that of a controller may be minutes wrong. An implausible time has been replaced by that of receipt. */
function isLate({ receivedAt, clockOffsetMs }: OpenFrame, { occurredAt, backfilled, data }: EventRow) {
  if (data.clockWrong) return backfilled
  return receivedAt - (Date.parse(occurredAt) - (clockOffsetMs ?? 0)) > lateAfterMs
}
