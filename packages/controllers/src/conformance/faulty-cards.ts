import { changes, type FaultyUnit, replaces } from './faulty-unit.ts'
import type { Tamper } from './tampering-proxy.ts'

/** Never receives passages that contain this text. */
const missesPassages = (text: string): Tamper => ({
  toUnit: (frame) => (frame['type'] === 'passages' && JSON.stringify(frame).includes(text) ? undefined : frame),
})

/** Says that it has opened the door although another one is open. */
const opensAnyway = changes('commandResult', (frame) =>
  frame['detail'] === 'interlock' ? { ...frame, outcome: 'done' } : frame,
)

/** Opens the door without asking. */
const asksNothing: Tamper = {
  toServer: (frame) => {
    if (frame['type'] === 'interlockRequest') return undefined
    return frame['detail'] === 'interlock_unavailable' ? { ...frame, outcome: 'done' } : frame
  },
}

/** Says of the second command that it was done. */
function obeysForgedInterlock() {
  let refused = 0
  return changes('commandResult', (frame) =>
    frame['detail'] === 'interlock' && ++refused > 1 ? { ...frame, outcome: 'done' } : frame,
  )
}

/** Asks when the mode begins, after four commands, and never again. */
function asksOnceAboutHold() {
  let asked = 0
  return changes('interlockRequest', (frame) => (++asked > 5 ? undefined : frame))
}

/** Units with faults of approvals, interlocks and passages. */
export const faultyCards: FaultyUnit[] = [
  [
    'asks for no approval',
    () => changes('approvalRequest', () => undefined),
    'Approval: asks for approval, and denies access with the reason of the answer',
    'It did not ask for approval.',
  ],
  [
    'obeys a forged answer',
    () => replaces('events', '"remote_timeout"', '"remote_denied"'),
    'Approval: ignores an answer that the server did not sign',
    'It recorded remote_denied instead of remote_timeout.',
  ],
  [
    'denies access after a grant',
    () => replaces('events', '"verdict":"grant","reason":null', '"verdict":"deny","reason":"remote_denied"'),
    'Approval: opens the door for a command that grants the request',
    'It recorded remote_denied instead of a grant.',
  ],
  [
    'does not ask about an interlock',
    () => asksNothing,
    'Interlocks with other units: asks before a command opens the door, and refuses the command where another door is open',
    'It did not ask.',
  ],
  [
    'opens a door of an interlock in spite of the answer',
    () => opensAnyway,
    'Interlocks with other units: asks before a command opens the door, and refuses the command where another door is open',
    'It answered done instead of refused.',
  ],
  [
    'obeys a forged answer about an interlock',
    () => obeysForgedInterlock(),
    'Interlocks with other units: ignores an answer that the server did not sign',
    'It answered done instead of refused.',
  ],
  [
    'opens a door of an interlock without an answer',
    () =>
      changes('commandResult', (frame) =>
        frame['detail'] === 'interlock_unavailable' ? { ...frame, outcome: 'done' } : frame,
      ),
    'Interlocks with other units: refuses the command where the server does not answer',
    'It answered done instead of refused.',
  ],
  [
    'does not report its doors',
    () => changes('interlockState', () => undefined),
    'Interlocks with other units: opens the door after the answer, and reports it until it is closed and locked',
    'It did not report the door as released.',
  ],
  [
    'asks only once about a door in the mode unlocked',
    asksOnceAboutHold,
    'Interlocks with other units: asks about a door in the mode unlocked with each heartbeat, and locks it where another door is open',
    'It did not ask with a heartbeat.',
  ],
  [
    'names other passages',
    () => replaces('hello', '"passagesUpTo":"', '"passagesUpTo":"2020-01-01T00:00:00.000Z","passagesBefore":"'),
    'Passages at other units: stores the passages that the server has signed, and names the last one in its next hello',
    'The hello names 2020-01-01T00:00:00.000Z instead of',
  ],
  [
    'ignores passages at other units',
    () => missesPassages('passages'),
    'Passages at other units: denies access to a user who has entered at another unit',
    'It recorded a grant instead of antipassback.',
  ],
  [
    'ignores that users have left',
    () => missesPassages('"exit"'),
    'Passages at other units: grants access again after the user has left there',
    'It recorded antipassback instead of a grant.',
  ],
  [
    'asks for a PIN in the hours of an unlock schedule',
    () => replaces('events', '"verdict":"grant","reason":null', '"verdict":"deny","reason":"pin_required"'),
    'Unlock schedules: stands unlocked in the hours of an unlock schedule: records the mode, and grants access without a PIN',
    'It recorded pin_required instead of a grant.',
  ],
  [
    'does not record that an unlock schedule opens',
    () => replaces('events', '"mode":"unlocked"', '"mode":"blocked"'),
    'Unlock schedules: stands unlocked in the hours of an unlock schedule: records the mode, and grants access without a PIN',
    'It did not record the mode unlocked.',
  ],
  [
    'stands unlocked after the hours of an unlock schedule',
    () => replaces('events', '"verdict":"deny","reason":"pin_required"', '"verdict":"grant","reason":null'),
    'Unlock schedules: returns to normal when the schedule is closed: records the mode, and asks for the PIN again',
    'It recorded a grant instead of pin_required.',
  ],
  [
    'lets no users pass during a lockdown',
    () => replaces('events', '"verdict":"grant","reason":null', '"verdict":"deny","reason":"door_locked_down"'),
    'Door modes: grants access to a user whom the lockdown lets pass',
    'It recorded door_locked_down instead of a grant.',
  ],
  [
    'lets all users pass during a lockdown',
    () => replaces('events', '"verdict":"deny","reason":"door_locked_down"', '"verdict":"grant","reason":null'),
    'Door modes: denies access to a user whom not all lockdowns of the door let pass',
    'It recorded a grant instead of door_locked_down.',
  ],
  [
    'obeys exceptions that another key has signed',
    () => replaces('events', '"verdict":"deny","reason":"door_locked_down"', '"verdict":"grant","reason":null'),
    'Door modes: lets no users pass whom the server has not signed',
    'It recorded a grant instead of door_locked_down.',
  ],
]
