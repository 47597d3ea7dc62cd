import { limits, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { resolveDecision } from '@portcullis/domain/decision/resolve-decision'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { openFrame } from '../ingest/open-frame.ts'

type ApprovalRequest = Extract<UnitFrame, { type: 'approvalRequest' }>
type RaiseApprovalInput = { unit: string; frame: ApprovalRequest }

/** What a request at a reader is stored from; returns undefined if its unit has raised it before. */
export type StoreRequest = (
  tx: Transaction,
  request: {
    account: number
    door: string
    user: { _id: string; name: string }
    expiresAfterSeconds: number
    unitRequest: string
  },
) => Promise<string | undefined>

/**
 * Raises the request of a user at a reader, whom the policy admits if an operator approves; returns
 * `unavailable` where the policy no longer allows this user to request this door.
 */
export function raiseApproval(
  { database, policies, now, storeRequest }: GatewayParts,
  { unit, frame }: RaiseApprovalInput,
) {
  return database.asSystem(async (tx): Promise<'raised' | 'unavailable'> => {
    const receivedAt = now()
    const opened = await openFrame(tx, { unit, policies, receivedAt, clockOffsetMs: null, logId: frame.id })
    const door = opened.doors.get(frame.door)
    if (!door) return 'unavailable'
    const { direction, number: credentialNumber } = frame
    const attempt = { unit, door: door._id, credentialNumber, direction, at: receivedAt }
    const unitReason = 'remote_approval_required' as const
    const { reason, findings } = resolveDecision(opened.index, { attempt, unitVerdict: 'needs_approval', unitReason })
    const user = findings.find(({ facts }) => facts.holder)?.facts.holder
    if (reason !== unitReason || !user) return 'unavailable'
    await storeRequest(tx, {
      account: opened.common.account,
      door: door._id,
      user: { _id: user._id, name: user.name ?? '' },
      expiresAfterSeconds: limits.approvalSeconds,
      unitRequest: frame.id,
    })
    return 'raised'
  })
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
