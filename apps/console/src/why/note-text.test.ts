import type { EventNote } from '@portcullis/contract/event-notes'
import { expect, test } from 'vitest'
import { noteText } from './note-text.ts'

const refused = {
  code: 'connection_refused',
  refusal: 'bad_code',
  address: '10.0.0.7',
  serial: 'PC-1',
  repeated: 0,
} as const

test.for<[EventNote, string]>([
  [{ code: 'decided_by', name: "Siobhán O'Neill" }, "Decided by Siobhán O'Neill"],
  [{ code: 'door_mode', mode: 'lockdown' }, 'Door mode locked down'],
  [
    { code: 'config_rejected', version: 1200, reason: 'unreadable: doors' },
    'Version 1,200 rejected: the controller cannot read it',
  ],
  [
    {
      code: 'capacity_exceeded',
      kind: 'credentials',
      used: 200,
      most: 100,
      others: [{ kind: 'doors', used: 6, most: 4 }],
    },
    'Credentials: 200 of 100, Doors: 6 of 4',
  ],
  [{ code: 'lockdown', plan: 'Attack', doors: 1_200, by: 'card' }, 'Attack, 1,200 doors, by a card'],
  [{ code: 'lockdown', plan: 'Drill', doors: 1, by: 'time' }, 'Drill, 1 door, at the end of its time'],
  [{ code: 'guest_refused', reason: 'needs_reader' }, 'The door checks who is inside, so it opens only at its reader'],
  [{ code: 'clock_behind', seconds: 1 }, 'The clock is 1 second behind'],
  [{ code: 'records_missing', from: 2, to: 4 }, 'Records 2 to 4 are missing'],
  [{ code: 'connections_refused', count: 940 }, '940 more connections of controllers refused'],
  [refused, 'From 10.0.0.7, serial PC-1: the enrolment code is wrong, expired or replaced'],
  [
    { ...refused, serial: null, repeated: 3 },
    'From 10.0.0.7: the enrolment code is wrong, expired or replaced (3 more times since)',
  ],
])('the console words what an event reports: %o', ([note, expected]) => {
  expect(noteText({ note })).toBe(expected)
})

test('text from a controller is shown unchanged', () => {
  expect(noteText({ detail: 'Low battery' })).toBe('Low battery')
})
