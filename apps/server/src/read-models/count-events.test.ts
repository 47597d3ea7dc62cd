import { hyperRules } from '@portcullis/contract/abilities'
import { events } from '@portcullis/contract/collections/events'
import fc from 'fast-check'
import pg from 'pg'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { z } from 'zod'
import { aggregate } from '../collections/aggregate.ts'
import { filterCondition } from '../query/filter.ts'
import { tableOf } from '../query/columns.ts'
import { makeItem } from '../collections/test-items.ts'
import { startOwnServer } from '../test-server.ts'
import { countEvents } from './count-events.ts'
import { foldEvents } from './fold-events.ts'
import { storedEventCounts } from './stored-event-counts.ts'

const server = await startOwnServer()
afterAll(server.stop)
const { database } = server

for (const ref of ['north', 'south']) await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref } })
const accounts = [await server.keyOf('main'), await server.keyOf('north'), await server.keyOf('south')]

/** The sign-in itself adds an event: the compared queries follow it. */
await vi.waitFor(
  async () => {
    if ((await server.client.of(events).count()).count === 0) throw new Error('Not yet.')
  },
  { timeout: 120_000 },
)

const doors = [uuidv7(), uuidv7(), uuidv7()]
const types = ['access.granted', 'access.denied', 'door.opened', 'unit.online'] as const

/** Around the beginning of a month: between partitions. */
const begin = new Date().setUTCDate(1) - (new Date().setUTCDate(1) % 86_400_000) - 2 * 86_400_000

/** Moments of four days, many of them where hours and days begin and end, to the microsecond. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 95 }), fc.constantFrom(0, 0, 1, 999_999, 1_800_000_000, 3_599_999_999))
  .map(([hour, microseconds]) => {
    const instant = Temporal.Instant.fromEpochMilliseconds(begin).add({ hours: hour, microseconds })
    return instant.toString({ smallestUnit: 'microsecond' })
  })

const eventRow = fc.record({
  account: fc.constantFrom(...accounts),
  door: fc.option(fc.constantFrom(...doors), { freq: 3 }),
  type: fc.constantFrom(...types),
  at: moment,
})
type EventRow = { account: number; door: string | null; type: string; at: string }

const term = fc.oneof(
  fc.record({ type: fc.constantFrom(...types) }),
  fc.record({ type: fc.record({ in: fc.array(fc.constantFrom(...types), { maxLength: 3 }) }) }),
  fc.record({ door: fc.constantFrom(...doors, ...doors.map((door) => door.toUpperCase())) }),
  fc.record({ door: fc.record({ in: fc.array(fc.constantFrom(...doors), { maxLength: 3 }) }) }),
  fc.record({ occurredAt: moment }),
  fc.record({ occurredAt: fc.oneof(fc.record({ gte: moment }), fc.record({ lt: moment })) }),
  fc.record({
    occurredAt: fc
      .record({ gt: moment, gte: moment, lt: moment, lte: moment, eq: moment }, { requiredKeys: [] })
      .filter((comparisons) => Object.keys(comparisons).length > 0),
  }),
)
const filter = fc.oneof(
  { weight: 1, arbitrary: fc.constant({}) },
  { weight: 4, arbitrary: term },
  { weight: 4, arbitrary: fc.array(term, { maxLength: 4 }).map((and) => ({ and })) },
)
const question = fc.record({ accounts: fc.subarray(accounts, { minLength: 1 }), filter })
type Question = { accounts: number[]; filter: object }

const baseAccess = {
  person: { _id: uuidv7(), name: 'Anybody', hyper: true },
  account: { _id: uuidv7(), key: 1, ref: 'main', name: 'Main', root: 1, defaultTimeZone: 'UTC' },
  assumed: null,
  role: null,
  inherited: false,
  rules: hyperRules,
  requestId: uuidv7(),
  freshUntil: null,
}

/** Both in one statement, so of one moment. */
const both = z.object({ fromTotals: z.number(), counted: z.number() })

async function ask({ accounts: reads, filter }: Question) {
  const fromTotals = countEvents({ accounts: reads, filter })
  if (!fromTotals) throw new Error('No totals are kept for this.')
  const where = filterCondition(filter, { table: tableOf(events), queryable: events.queryable })
  const counted = sql`select count(*) from event where ${where} and event_account = any(${reads}::int[])`
  const row = await database.inAccounts(reads, (tx) =>
    tx.first(both, sql`select (${fromTotals}) as "fromTotals", (${counted}) as counted`),
  )
  return both.parse(row)
}

function store(rows: readonly EventRow[]) {
  return database.asSystem((tx) =>
    tx.run(sql`insert into event (event_id, event_account, event_type, event_category, event_severity, event_door, event_occurred_at)
      select gen_random_uuid(), account, type, 'access', 'info', door, at
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) row (account int, type text, door uuid, at timestamptz)`),
  )
}

const forget = ({ account, type }: EventRow) =>
  database.asSystem((tx) =>
    tx.run(sql`delete from event where event_account = ${account} and event_type = ${type} and random() < 0.3`),
  )

const correct = ({ account, type, door, at }: EventRow) =>
  database.asSystem((tx) =>
    tx.run(sql`update event set event_door = ${door}::uuid, event_occurred_at = ${at}::timestamptz
      where event_account = ${account} and event_type = ${type} and random() < 0.1`),
  )

const byType = 'type' as const
const byTime = fc.constantFrom('hour', 'day', 'week', 'month').map((bucket) => ({ field: 'occurredAt', bucket }))
const grouping = fc.record({
  accounts: question.map(({ accounts: some }) => some),
  filter,
  by: fc.oneof(
    fc.constant([byType]),
    byTime.map((time) => [time]),
    byTime.map((time) => [time, byType]),
  ),
  timeZone: fc.constantFrom('UTC', 'Europe/Amsterdam', 'America/Sao_Paulo', 'Pacific/Auckland', 'Asia/Kolkata'),
})

type Grouping = typeof grouping extends fc.Arbitrary<infer Value> ? Value : never

/** From the stored totals, and by reading every event. */
async function aggregated({ accounts: reads, filter, by, timeZone }: Grouping) {
  const query = { filter: JSON.stringify(filter), by: JSON.stringify(by), timeZone }
  const access = { ...baseAccess, reads, subtree: reads, covered: reads }
  const [fromTotals, counted] = await Promise.all(
    [{ countsOf: storedEventCounts }, {}].map((hooks) =>
      aggregate(database, { collection: events, hooks, access, query }),
    ),
  )
  return { fromTotals, counted }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.array(eventRow, { maxLength: 30 }).map((stored) => () => store(stored)) },
  { weight: 2, arbitrary: fc.constant(() => foldEvents(database)) },
  { weight: 1, arbitrary: eventRow.map((like) => () => forget(like)) },
  { weight: 1, arbitrary: eventRow.map((like) => () => correct(like)) },
)

const runs = Math.max(40, Math.floor(inject('randomCases') / 50))

describe('§3 totals of events equal a count', () => {
  test('after any storing, removing, correcting and folding, and for any query', {
    timeout: 600_000,
  }, async () => {
    const round = fc.record({
      groupings: fc.array(grouping, { maxLength: 4 }),
      steps: fc.array(step, { maxLength: 4 }),
      questions: fc.array(question, { minLength: 1, maxLength: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(round, async ({ steps, questions, groupings }) => {
        for (const take of steps) await take()
        for (const each of questions) {
          const { fromTotals, counted } = await ask(each)
          expect(fromTotals, JSON.stringify(each)).toBe(counted)
        }
        for (const each of groupings) {
          const { fromTotals, counted } = await aggregated(each)
          expect(fromTotals, JSON.stringify(each)).toEqual(counted)
        }
      }),
      { numRuns: runs },
    )
  })

  test('while events are stored and deltas folded by several at once', { timeout: 600_000 }, async () => {
    const batches = fc.sample(fc.array(eventRow, { minLength: 5, maxLength: 40 }), 40)
    const questions = fc.sample(question, 60)
    const storing = [0, 1].map(async (hooks) => {
      for (const stored of batches.filter((_, index) => index % 2 === hooks)) await store(stored)
    })
    let isStoring = true
    const folding = [0, 1].map(async () => {
      while (isStoring) await foldEvents(database)
    })
    const stored = Promise.all(storing).finally(() => {
      isStoring = false
    })
    for (const each of questions) {
      const { fromTotals, counted } = await ask(each)
      expect(fromTotals, JSON.stringify(each)).toBe(counted)
    }
    await stored
    await Promise.all(folding)
    await foldEvents(database)
    for (const each of questions) {
      const { fromTotals, counted } = await ask(each)
      expect(fromTotals, JSON.stringify(each)).toBe(counted)
    }
  })

  test('when the events of a month are deleted', async () => {
    const [month] = new Date(begin).toISOString().slice(0, 7).split(' ')
    await store(fc.sample(eventRow, 50))
    const owner = new pg.Client({ connectionString: server.databaseUrl, options: '-c timezone=UTC' })
    await owner.connect()
    await owner.query('select drop_event_month($1)', [`${month}-01T00:00:00Z`])
    await owner.end()
    const before = { lt: new Date(begin + 2 * 86_400_000).toISOString() }
    expect(await ask({ accounts, filter: { occurredAt: before } })).toEqual({ fromTotals: 0, counted: 0 })
    for (const each of fc.sample(question, 50)) {
      const { fromTotals, counted } = await ask(each)
      expect(fromTotals, JSON.stringify(each)).toBe(counted)
    }
  })
})

test.each([
  { outcome: 'denied' },
  { or: [{ type: 'x' }] },
  { not: {} },
  { door: null },
  { type: { ne: 'x' } },
  { type: { like: 'x' } },
])('no total is stored for %o', (filter) => {
  expect(countEvents({ accounts, filter })).toBeUndefined()
  expect(countEvents({ accounts, filter: { and: [{ type: 'x' }, filter] } })).toBeUndefined()
})

test.each([
  [['door'], 'UTC'],
  [['type', { field: 'outcome' }], 'UTC'],
  [['occurredAt'], 'UTC'],
  [[{ field: 'occurredAt', bucket: 'day' }], 'Asia/Kolkata'],
  [[{ field: 'occurredAt', bucket: 'hour' }], 'Australia/Lord_Howe'],
])('no stored counts serve %j in %s', (by, timeZone) => {
  const entries = by.map((entry) => (typeof entry === 'string' ? { field: entry } : entry))
  expect(storedEventCounts({ accounts, filter: {}, by: entries, timeZone })).toBeUndefined()
})
