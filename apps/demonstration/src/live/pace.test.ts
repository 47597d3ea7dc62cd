import { expect, test } from 'vitest'
import { paceAt } from './pace.ts'

const zones = ['Africa/Johannesburg', 'Africa/Johannesburg', 'Europe/London']
const pace = (moment: string) => paceAt(Date.parse(moment), zones)

test('cards are presented every few seconds on a working morning, less often in the evening, at night and at the weekend', () => {
  const morning = pace('2026-11-20T08:30:00Z')
  const evening = pace('2026-11-20T18:30:00Z')
  const night = pace('2026-11-20T00:30:00Z')
  const saturday = pace('2026-11-21T08:30:00Z')
  expect(morning.most).toBeLessThan(8_000)
  for (const calm of [evening, saturday]) {
    expect(calm.least).toBeGreaterThan(morning.least)
    expect(calm.most).toBeLessThan(night.most)
  }
  expect(night.least).toBeGreaterThan(8_000)
})

test('a user who watches for a minute sees an event, at any hour', () => {
  for (let hour = 0; hour < 168; hour++) {
    expect(paceAt(Date.parse('2026-11-20T00:00:00Z') + hour * 3_600_000, zones).most).toBeLessThan(30_000)
  }
})
