import { randomUUID } from 'node:crypto'
import { changes, type FaultyUnit, replaces } from './faulty-units.ts'
import type { Tamper } from './tampering-proxy.ts'

/** Sends its records from the second frame on in a log that begins in the middle. */
function continuesInNewLog() {
  const logId = randomUUID()
  return changes('events', (frame) => (JSON.stringify(frame).includes('"seq":1,') ? frame : { ...frame, logId }))
}

/** Confirms any key of a server. */
const keepsAnyKey: Tamper = {
  toUnit: (frame, answer) => {
    if (frame['type'] === 'serverKey') answer({ type: 'serverKeyKept', serverKey: frame['serverKey'] })
    return frame
  },
}

/** Never receives passages that contain this text. */
const missesPassages = (text: string): Tamper => ({
  toUnit: (frame) => (frame['type'] === 'passages' && JSON.stringify(frame).includes(text) ? undefined : frame),
})

/** Units with faults of full logs, keys, approvals and passages. */
export const moreFaultyUnits: FaultyUnit[] = [
  [
    'drops records without a log_gap',
    () => replaces('events', '"log_gap"', '"power_on"'),
    'Events: reports in a log_gap record what a full log has dropped',
    'It sent no log_gap record before the last command.',
  ],
  [
    'continues its numbers in a new log',
    continuesInNewLog,
    'Events: numbers each log from 1 without gaps',
    'The first record of a log has the number',
  ],
  [
    'keeps any new key',
    () => keepsAnyKey,
    'Enrolment: ignores a new key that its server did not sign',
    'It confirmed the key.',
  ],
  [
    'ignores new keys',
    () => changes('serverKeyKept', () => undefined),
    'Enrolment: keeps a new key that its server has signed',
    'It did not confirm the key.',
  ],
  [
    'obeys earlier keys',
    () => replaces('commandResult', '"refused","detail":"not_signed"', '"done"'),
    'Enrolment: obeys only the new key once a clock is signed with it',
    'It answered done instead of refused.',
  ],
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
]
