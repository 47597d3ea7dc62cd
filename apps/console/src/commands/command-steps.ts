import type { DoorCommand } from '@portcullis/contract/calls/units'

type Ended = Exclude<DoorCommand['status'], 'requested' | 'sent'>

/** A step of the command on its way to the door: it has happened (`at`), or is expected. */
export type CommandStep = { step: 'requested' | 'sent' | 'confirmed' | Ended; at: string | null }

/** Requested, sent, confirmed, each with its time; a command that ended differently has that end instead of the last step. */
export function commandSteps(command: DoorCommand): CommandStep[] {
  const { status, requestedAt, sentAt, endedAt } = command
  const requested = { step: 'requested' as const, at: requestedAt }
  const end = { step: isEnd(status) ? status : ('confirmed' as const), at: isEnd(status) ? endedAt : null }
  const wasNeverSent = isEnd(status) && sentAt === null
  return wasNeverSent ? [requested, end] : [requested, { step: 'sent', at: sentAt }, end]
}

/** Whether the status is final. */
export function isSettled({ status }: DoorCommand): boolean {
  return isEnd(status)
}

function isEnd(status: DoorCommand['status']): status is Ended {
  return status !== 'requested' && status !== 'sent'
}
