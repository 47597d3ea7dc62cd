import { limits, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { resolveDecision } from '@portcullis/domain/decision/resolve-decision'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { GatewayDependencies } from './gateway-dependencies.ts'
import { frameOf, unitPlace, unitPlaceRow } from '../ingest/open-frame.ts'
import { UnitRefused } from '../ingest/refusal.ts'
import { presentedBy } from '../ingest/resolve-record.ts'
import type { Policies } from '../policy/policies.ts'

type ApprovalRequest = Extract<UnitFrame, { type: 'approvalRequest' }>
type RaiseApprovalInput = { unit: string; frame: ApprovalRequest }

/** Stores the request of a user at a reader; `unavailable` where its controller or account has reached its limit. */
export type StoreRequest = (
  tx: Transaction,
  request: {
    account: number
    unit: string
    door: string
    user: { _id: string; name: string }
    expiresAfterSeconds: number
    unitRequest: string
  },
) => Promise<'raised' | 'unavailable'>

type RaiseApprovalDependencies = Pick<GatewayDependencies, 'database' | 'now' | 'storeRequest'> & {
  policies: Pick<Policies, 'ofAccountAt'>
}

/**
 * Raises the request of a user at a reader, if the policy grants access with an approval; returns `unavailable` where
 * the policy no longer allows this user to request this door.
 */
export async function raiseApproval(
  { database, policies, now, storeRequest }: RaiseApprovalDependencies,
  { unit, frame }: RaiseApprovalInput,
): Promise<'raised' | 'unavailable'> {
  const receivedAt = now()
  const place = await database.first(unitPlaceRow, unitPlace(unit))
  if (!place) throw new UnitRefused('unknown_unit')
  const { account } = place
  // Outside the transaction: bringing a policy up to date can take a moment, and loading it longer.
  const { index } = await policies.ofAccountAt(account, place.policyVersion)
  const door = frameOf(place, { unit, index, receivedAt, clockOffsetMs: null, logId: frame.id }).doors.get(frame.door)
  if (!door) return 'unavailable'
  const attempt = { unit, door: door._id, ...presentedBy(frame), direction: frame.direction, at: receivedAt }
  const unitReason = 'remote_approval_required' as const
  const { reason, findings } = resolveDecision(index, { attempt, unitVerdict: 'needs_approval', unitReason })
  const user = findings.find(({ facts }) => facts.holder)?.facts.holder
  if (reason !== unitReason || !user) return 'unavailable'
  return database.asSystem((tx) =>
    storeRequest(tx, {
      account,
      unit,
      door: door._id,
      user: { _id: user._id, name: user.name ?? '' },
      expiresAfterSeconds: limits.approvalSeconds,
      unitRequest: frame.id,
    }),
  )
}

const endedRow = z.object({ id: z.uuid(), outcome: z.enum(['denied', 'timeout']) })

/** Takes the outcomes that a unit waits for, to be sent now; a grant reaches it as the command that opens the door. */
export function takeOutcomes(tx: Transaction, unit: string) {
  return tx.rows(
    endedRow,
    sql`update task set task_answered_at = clock_timestamp()
         where task_unit = ${unit} and task_unit_request is not null and task_answered_at is null
           and task_status in ('Denied', 'Expired')
        returning task_unit_request as id, case task_status when 'Denied' then 'denied' else 'timeout' end as outcome`,
  )
}
