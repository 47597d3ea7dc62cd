import { reasonWords } from '@portcullis/contract/reason-words'
import type { Direction } from '@portcullis/domain/policy'
import type { DoorPosition } from '../simulated-door.ts'
import type { Presented, Verdict } from '../unit-access.ts'
import type { DoorSwitch } from '../unit-doors.ts'
import type { VirtualUnit } from '../virtual-unit.ts'

export const kindWords: Record<Presented['kind'], string> = {
  card: 'Card',
  iButton: 'iButton',
  qr: 'QR code',
  mobile: 'Phone',
  pin: 'PIN alone',
}

export const directionWords: Record<Direction, string> = { entry: 'Entry', exit: 'Exit' }

export const positionWords: Record<DoorPosition, string> = {
  closed: 'Closed',
  open: 'Open',
  forced: 'Forced open',
  held: 'Held open',
}

/** `done` follows the name of the door. */
export const operationWords: Record<DoorSwitch, { button: string; done: string }> = {
  exit: { button: 'Request exit', done: 'exit requested.' },
  forced: { button: 'Force open', done: 'forced open.' },
  held: { button: 'Hold open', done: 'held open. The alarm follows after the time set for the door.' },
  closed: { button: 'Close', done: 'closed.' },
}

export function stateWords({ running }: ReturnType<VirtualUnit['state']>) {
  if (!running) return 'Switched off'
  if (running.unit === null) return 'Not enrolled'
  return running.isOnline ? 'Online' : 'Offline'
}

/** The decision as a sentence, such as "Denied: Wrong PIN (pin_invalid)." */
export function decisionSentence({ verdict, reason }: Verdict) {
  const why = reason === null ? '' : `: ${reasonWords[reason]} (${reason})`
  return `${verdict === 'grant' ? 'Granted' : 'Denied'}${why}.`
}
