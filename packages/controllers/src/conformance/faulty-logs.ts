import { randomUUID } from 'node:crypto'
import { changes, type FaultyUnit, replaces } from './faulty-unit.ts'

/** Sends its records from the second frame on in a log that begins in the middle. */
function continuesInNewLog() {
  const logId = randomUUID()
  return changes('events', (frame) => (JSON.stringify(frame).includes('"seq":1,') ? frame : { ...frame, logId }))
}

/** Units with faults of their events. */
export const faultyLogs: FaultyUnit[] = [
  [
    'begins with another number',
    () => changes('events', (frame) => ({ ...frame, records: [{ seq: 3, body: {} }] })),
    'Events: sends what it recorded, numbered from 1 without gaps',
    'The first number of a new log is 3, not 1.',
  ],
  [
    'leaves a gap in its numbers',
    () => changes('events', (frame) => ({ ...frame, records: [1, 3].map((seq) => ({ seq, body: {} })) })),
    'Events: sends what it recorded, numbered from 1 without gaps',
    'The numbers have a gap: 1, 3.',
  ],
  [
    'records another schema',
    () => changes('events', (frame) => ({ ...frame, records: [{ seq: 1, body: {} }] })),
    'Events: sends what it recorded, numbered from 1 without gaps',
    'Record 1 does not match the schema.',
  ],
  [
    'sends its records in another log',
    () => changes('events', (frame) => ({ ...frame, logId: randomUUID() })),
    'Events: sends again what was not acknowledged',
    'It sent them in another log.',
  ],
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
]
