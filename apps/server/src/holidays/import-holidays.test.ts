import { importedHolidays } from '@portcullis/contract/calls/import-holidays'
import { holidays } from '@portcullis/contract/collections/holidays'
import { sensitiveFields } from '@portcullis/contract/sensitive-fields'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { guardsOf } from '../abilities/guards-of.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { tableOf } from '../query/columns.ts'
import { collectionHooks } from '../hooks-by-collection.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask, client } = server

const event = (name: string, ...lines: string[]) => ['BEGIN:VEVENT', `SUMMARY:${name}`, ...lines, 'END:VEVENT']
const file = (...events: string[][]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR'].join('\r\n')
const day = (date: string) => `DTSTART;VALUE=DATE:${date}`
const on = (from: string, until = from) => ({ from, until, recurring: false })

async function load(body: object) {
  const { json } = await ask('POST', '/api/holidays/import', { body })
  return importedHolidays.parse(json).rows
}

async function all() {
  const { items } = await client.of(holidays).list({ size: 100, sort: { prop: 'name', dir: 'asc' } })
  return items
}

beforeEach(async () => {
  await server.database.asSystem((tx) => tx.rows(z.unknown(), sql`delete from holiday`))
})

test('a dry run says which holidays are new, changed, unchanged or rejected, and the import stores just that', async () => {
  const kept = await client
    .of(holidays)
    .create({ name: 'Kept', kind: 'public', dates: [on('2026-03-21')], calendar: 'ZA' })
  const old = await client
    .of(holidays)
    .create({ name: 'Moved', kind: 'public', dates: [on('2025-05-01'), on('2026-05-02')], calendar: 'ZA' })
  const calendar = file(
    event('Kept', day('20260321')),
    event('Moved', day('20260501')),
    event('New', day('20260616')),
    event('New', day('20270616')),
    event('Meeting', 'DTSTART:20260101T100000Z', 'DTEND:20260101T110000Z'),
  )
  const dry = await load({ file: calendar, calendar: 'ZA', dryRun: true })
  expect(dry.map(({ name, state, reason }) => [name, state, reason])).toEqual([
    ['Kept', 'unchanged', null],
    ['Moved', 'changed', null],
    ['New', 'new', null],
    ['Meeting', 'rejected', 'not_whole_days'],
  ])
  expect(await all()).toHaveLength(2)

  const rows = await load({ file: calendar, calendar: 'ZA' })
  expect(rows.map(({ state }) => state)).toEqual(dry.map(({ state }) => state))
  expect(rows.map(({ entry }) => entry !== null)).toEqual([false, true, true, false])
  const stored = await all()
  expect(stored.map(({ name, calendar: of, dates }) => [name, of, dates])).toEqual([
    ['Kept', 'ZA', [on('2026-03-21')]],
    ['Moved', 'ZA', [on('2025-05-01'), on('2026-05-01'), on('2026-05-02')]],
    ['New', 'ZA', [on('2026-06-16'), on('2027-06-16')]],
  ])
  expect(stored.map(({ version }) => version)).toEqual([1, 2, 1])
  expect([stored[0]?._id, stored[1]?._id]).toEqual([kept._id, old._id])
  const { item } = await ask('GET', `/api/auditLogs/${rows[1]?.entry}`)
  expect(item).toMatchObject({ collection: 'holidays', item: old._id, action: 'patch' })
})

test('the stored dates of a holiday are kept unless they are replaced, and its row says what changes', async () => {
  const every = { ...on('2024-05-01'), recurring: true }
  const labour = { name: 'Labour Day', kind: 'company' as const, dates: [every, on('2026-05-02')] }
  const { _id } = await client.of(holidays).create(labour)
  const body = { file: file(event('Labour Day', day('20250501')), event('Labour Day', day('20260504'))) }
  const changed = { name: 'Labour Day', state: 'changed', kindBefore: 'company', _id }
  expect(await load({ ...body, dryRun: true })).toMatchObject([{ ...changed, added: [on('2026-05-04')], removed: [] }])
  expect(await load({ ...body, dryRun: true, replaceDates: true })).toMatchObject([
    { ...changed, added: [on('2025-05-01'), on('2026-05-04')], removed: labour.dates },
  ])
  const yearly = { file: file(event('Labour Day', day('20260504'), 'RRULE:FREQ=YEARLY')) }
  await load(yearly)
  const dates = [every, on('2026-05-02'), { ...on('2026-05-04'), recurring: true }]
  expect(await all()).toMatchObject([{ dates }])
  expect(await load(yearly)).toMatchObject([{ state: 'unchanged', added: [], removed: [], kindBefore: null }])
  await load({ ...body, replaceDates: true })
  expect(await all()).toMatchObject([{ dates: [on('2025-05-01'), on('2026-05-04')] }])
})

test('a holiday with the same name in another calendar is another holiday', async () => {
  await client.of(holidays).create({ name: 'Labour Day', kind: 'public', dates: [on('2026-05-01')], calendar: 'UK' })
  const calendar = file(event('Labour Day', day('20260501')))
  expect(await load({ file: calendar, calendar: 'ZA' })).toMatchObject([{ state: 'new' }])
  expect(await load({ file: calendar })).toMatchObject([{ state: 'new' }])
  expect(new Set((await all()).map(({ calendar: of }) => of))).toEqual(new Set(['UK', 'ZA', null]))
})

test('an exported calendar is imported unchanged', async () => {
  const year = { from: '2020-12-25', until: '2020-12-26', recurring: true }
  await client
    .of(holidays)
    .create({ name: 'A, b; c \\ d é', kind: 'company', dates: [year, on('2026-04-30', '2026-05-02')], calendar: 'ZA' })
  await client.of(holidays).create({ name: 'Elsewhere', kind: 'special', dates: [on('2026-01-01')], calendar: 'UK' })
  const { fileName, response } = await client.holidays.exportCalendar('ZA')
  const text = await response.text()
  expect([fileName, response.headers.get('content-type')]).toEqual(['holidays.ics', 'text/calendar; charset=utf-8'])
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/)
  expect(text).toContain('DTSTART;VALUE=DATE:20260430\r\nDTEND;VALUE=DATE:20260503')
  expect(text).not.toContain('Elsewhere')
  expect(await load({ file: text, calendar: 'ZA', dryRun: true })).toMatchObject([
    { name: 'A, b; c \\ d é', state: 'unchanged' },
  ])
  const everything = await (await client.holidays.exportCalendar()).response.text()
  expect(everything).toContain('Elsewhere')
  const { items } = await ask('GET', '/api/auditLogs?filter={"action":"export"}')
  expect(items[0]).toMatchObject({
    collection: 'holidays',
    after: { format: 'ics', rows: 2, isWhole: true, filter: null },
  })
  expect(items[1]).toMatchObject({ after: { rows: 1, filter: { calendar: 'ZA' } } })
})

test('a list of holidays is imported like a file', async () => {
  const [row] = await load({ holidays: [{ name: 'Founders', kind: 'company', dates: [on('2026-07-01')] }] })
  expect(row).toMatchObject({ state: 'new' })
  expect(await all()).toMatchObject([{ name: 'Founders', kind: 'company', calendar: null }])
})

test('a holiday with more dates than can be stored is rejected, and the others are stored', async () => {
  const many = Array.from({ length: 51 }, (_, at) =>
    event('Daily', day(`2026${at < 28 ? '02' : '03'}${String((at % 28) + 1).padStart(2, '0')}`)),
  )
  const rows = await load({ file: file(...many, event('One', day('20260616'))) })
  expect(rows.map(({ name, state, reason }) => [name, state, reason])).toEqual([
    ['Daily', 'rejected', 'too_many_dates'],
    ['One', 'new', null],
  ])
})

test.each([
  ['no calendar', { file: 'hello' }, 'file'],
  ['neither a file nor a list', {}, 'file'],
  ['both', { file: file(), holidays: [{ name: 'A', kind: 'public', dates: [on('2026-01-01')] }] }, 'file'],
  ['a file that is too long', { file: 'x'.repeat(500_001) }, 'file'],
  [
    'too many holidays',
    { file: file(...Array.from({ length: 201 }, (_, at) => event(`Day ${at}`, day('20260101')))) },
    'file',
  ],
])('%s is refused and nothing is stored', async (_what, body, field) => {
  const { status, error } = await ask('POST', '/api/holidays/import', { body })
  expect([status, error.code, Object.keys(error.fields)]).toEqual([400, 'bad_request', [field]])
  expect(await all()).toEqual([])
})

test('a name that is twice in a list is one holiday, with all of its dates', async () => {
  const [first, second] = ['2026-07-01', '2027-07-01'].map((date) => ({
    name: 'Day',
    kind: 'company',
    dates: [on(date)],
  }))
  expect(await load({ holidays: [first, second] })).toMatchObject([{ state: 'new' }])
  expect((await all()).map(({ dates }) => dates)).toEqual([[on('2026-07-01'), on('2027-07-01')]])
})

test('an export with more dates than the maximum is refused, and not cut', async () => {
  const dates = Array.from({ length: 50 }, (_, at) => on(`${2001 + at}-01-01`))
  for (const part of ['a', 'b', 'c']) {
    const list = Array.from({ length: 134 }, (_, at) => ({ name: `${part} ${at}`, kind: 'public', dates }))
    await load({ holidays: list, calendar: part })
  }
  const { status, error } = await ask('POST', '/api/holidays/export/ics', { body: {} })
  expect([status, error.code, Object.keys(error.fields)]).toEqual([400, 'bad_request', ['calendar']])
  const text = await (await client.holidays.exportCalendar('a')).response.text()
  expect(text.match(/BEGIN:VEVENT/g)?.length).toBe(134 * 50)
})

test('of an account tree, one import is stored at a time, and few wait', async () => {
  const list = (part: number) =>
    Array.from({ length: 200 }, (_, at) => ({ name: `${part} ${at}`, kind: 'public', dates: [on('2026-01-01')] }))
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((part) => ask('POST', '/api/holidays/import', { body: { holidays: list(part) } })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(statuses.filter((each) => each === 200).length).toBeGreaterThanOrEqual(3)
})

test('holidays have nothing that many writes at once would pass over', () => {
  expect(collectionHooks(testNumbers())['holidays']).toBeUndefined()
  expect(guardsOf(holidays).guarded).toEqual([])
  expect(sensitiveFields(holidays)).toEqual([])
  const columns = Object.values<Collection>(collections).flatMap((each) => [...tableOf(each).columns.values()])
  const referring = columns.filter(
    ({ reference, link }) =>
      reference === holidays.name || link?.of.some((target) => target.collection === holidays.name),
  )
  expect(referring).toEqual([])
  expect([...tableOf(holidays).columns.values()].flatMap(({ link }) => link ?? [])).toEqual([])
})
