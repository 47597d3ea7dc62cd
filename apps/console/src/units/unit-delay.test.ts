import { expect, test } from 'vitest'
import { delayInWords, waitingInWords } from './unit-delay.ts'

test('the delay of the latest live event is shown in seconds, in tenths while it is short', () => {
  expect([38, 420, 9_960, 12_340].map((eventDelayMs) => delayInWords({ eventDelayMs }))).toEqual([
    'under 0.1 s',
    '0.4 s',
    '10 s',
    '12 s',
  ])
  expect(delayInWords({ eventDelayMs: null })).toBeUndefined()
})

test('events that wait on the controller are counted, none are not mentioned', () => {
  expect(waitingInWords({ pendingEvents: 1 })).toBe('1 event waiting on the controller')
  expect(waitingInWords({ pendingEvents: 1_240 })).toBe('1,240 events waiting on the controller')
  expect(waitingInWords({ pendingEvents: 0 })).toBeUndefined()
  expect(waitingInWords({ pendingEvents: null })).toBeUndefined()
})
