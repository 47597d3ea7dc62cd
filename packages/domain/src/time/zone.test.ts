import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayMs, localTime, spansOfLocal, zoneTransitions } from './zone.ts'

const from = Date.parse('2025-01-01T00:00:00Z')
const until = Date.parse('2029-01-01T00:00:00Z')

describe('the offsets of a zone', () => {
  test('include both changes of London in 2026', () => {
    const zone = zoneTransitions({
      timeZone: 'Europe/London',
      from: Date.parse('2026-01-01T00:00:00Z'),
      until: Date.parse('2026-12-31T00:00:00Z'),
    })
    expect(zone).toEqual({
      initialOffsetMinutes: 0,
      transitions: [
        { at: Date.parse('2026-03-29T01:00:00Z'), offsetMinutes: 60 },
        { at: Date.parse('2026-10-25T01:00:00Z'), offsetMinutes: 0 },
      ],
    })
  })

  test('include both changes of New York in 2026, and none of Johannesburg', () => {
    const year = { from: Date.parse('2026-01-01T00:00:00Z'), until: Date.parse('2026-12-31T00:00:00Z') }
    expect(zoneTransitions({ timeZone: 'America/New_York', ...year })).toEqual({
      initialOffsetMinutes: -300,
      transitions: [
        { at: Date.parse('2026-03-08T07:00:00Z'), offsetMinutes: -240 },
        { at: Date.parse('2026-11-01T06:00:00Z'), offsetMinutes: -300 },
      ],
    })
    expect(zoneTransitions({ timeZone: 'Africa/Johannesburg', ...year })).toEqual({
      initialOffsetMinutes: 120,
      transitions: [],
    })
  })

  test('are refused for a zone that does not exist', () => {
    expect(() => zoneTransitions({ timeZone: 'Mars/Olympus', from, until })).toThrow(RangeError)
  })

  test('give the same local time as the zone database, in any zone and at any instant', () => {
    const tables = new Map<string, ReturnType<typeof zoneTransitions>>()
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    fc.assert(
      fc.property(
        zones,
        fc.integer({ min: from, max: until - 1 }),
        fc.integer({ min: -1, max: 1 }),
        (timeZone, instant, ms) => {
          const zone = tables.get(timeZone) ?? zoneTransitions({ timeZone, from, until })
          tables.set(timeZone, zone)
          for (const at of [instant, ...zone.transitions.map((transition) => transition.at + ms)]) {
            const local = localTime(zone, at)
            const expected = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDateTime()
            expect(local.epochDay * dayMs + local.msOfDay).toBe(expected.toZonedDateTime('UTC').epochMilliseconds)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('the instants of a span of local time', () => {
  const zone = zoneTransitions({ timeZone: 'Europe/London', from, until })
  const local = (start: string, end: string) => ({ from: Date.parse(`${start}Z`), until: Date.parse(`${end}Z`) })
  const iso = (spans: { from: number; until: number }[]) =>
    spans.map((span) => [new Date(span.from).toISOString(), new Date(span.until).toISOString()])

  test('are none inside the hour that is skipped in spring', () => {
    expect(spansOfLocal(zone, local('2026-03-29T01:15', '2026-03-29T01:45'))).toEqual([])
  })

  test('are shortened if they reach into that hour', () => {
    expect(iso(spansOfLocal(zone, local('2026-03-29T01:30', '2026-03-29T03:00')))).toEqual([
      ['2026-03-29T01:00:00.000Z', '2026-03-29T02:00:00.000Z'],
    ])
  })

  test('are two inside the hour that is repeated in autumn', () => {
    expect(iso(spansOfLocal(zone, local('2026-10-25T01:15', '2026-10-25T01:45')))).toEqual([
      ['2026-10-25T00:15:00.000Z', '2026-10-25T00:45:00.000Z'],
      ['2026-10-25T01:15:00.000Z', '2026-10-25T01:45:00.000Z'],
    ])
  })
})
