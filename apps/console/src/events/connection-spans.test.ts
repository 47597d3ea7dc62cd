import { expect, test } from 'vitest'
import { type ConnectionReport, connectionSpans, daysOf } from './connection-spans.ts'

const [from, until] = [1_000, 2_000]
const report = (what: 'online' | 'offline', at: number): ConnectionReport => ({
  type: `unit.${what}`,
  occurredAt: new Date(at).toISOString(),
})

test.each([
  ['without a report, unknown', [], [['unknown', 1_000, 2_000]]],
  ['since an earlier report, as it says', [report('online', 10)], [['online', 1_000, 2_000]]],
  [
    'after several earlier reports, as the latest says',
    [report('offline', 20), report('online', 10)],
    [['offline', 1_000, 2_000]],
  ],
  [
    'before the first report, unknown',
    [report('online', 1_400)],
    [
      ['unknown', 1_000, 1_400],
      ['online', 1_400, 2_000],
    ],
  ],
  [
    'newest first, in the order of time',
    [report('online', 1_600), report('offline', 1_500), report('online', 500)],
    [
      ['online', 1_000, 1_500],
      ['offline', 1_500, 1_600],
      ['online', 1_600, 2_000],
    ],
  ],
  [
    'after the same report twice, one period',
    [report('online', 500), report('online', 1_500)],
    [['online', 1_000, 2_000]],
  ],
  ['at a later report, as before', [report('online', 500), report('offline', 2_000)], [['online', 1_000, 2_000]]],
])('a controller is %s', (_name, reports, expected) => {
  const spans = connectionSpans(reports, { from, until })
  expect(spans.map((span) => [span.state, span.from, span.until])).toEqual(expected)
})

test('a period is cut into days at each midnight of the viewer', () => {
  const [from, midnight, until] = [
    [19, 18],
    [20, 0],
    [20, 9],
  ].map(([day, hour]) => new Date(2026, 10, day, hour).getTime())
  if (from === undefined || midnight === undefined || until === undefined) throw new Error('Each is a moment.')
  expect(daysOf({ from, until })).toEqual([
    { from, until: midnight },
    { from: midnight, until },
  ])
  expect(daysOf({ from: midnight, until: midnight })).toEqual([])
})
