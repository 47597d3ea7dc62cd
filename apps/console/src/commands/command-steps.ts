import type { DoorCommand } from '@portcullis/contract/calls/units'

type Ended = Exclude<DoorCommand['status'], 'requested' | 'sent'>

/** A step on the way of a command to the door: it has happened (`at`), or is waited for. */
export type CommandStep = { step: 'requested' | 'sent' | 'confirmed' | Ended; at: string | null }

/** Requested, sent, confirmed, each with its time; a command that came to another end has that end in the place of the last. */
export function commandSteps(command: DoorCommand): CommandStep[] {
  const { status, requestedAt, sentAt, endedAt } = command
  const requested = { step: 'requested' as const, at: requestedAt }
  const end = { step: isEnd(status) ? status : ('confirmed' as const), at: isEnd(status) ? endedAt : null }
  const wasNeverSent = isEnd(status) && sentAt === null
  return wasNeverSent ? [requested, end] : [requested, { step: 'sent', at: sentAt }, end]
}

/** Whether nothing more will become of it. */
export function isSettled({ status }: DoorCommand): boolean {
  return isEnd(status)
}

function isEnd(status: DoorCommand['status']): status is Ended {
  return status !== 'requested' && status !== 'sent'
}
