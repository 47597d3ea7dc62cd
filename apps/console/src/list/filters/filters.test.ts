import { sites } from '@portcullis/contract/collections/sites'
import { expect, test } from 'vitest'
import { filterOf, type ListFilter, severalOf, termOf } from './filters.ts'

const now = new Date(2026, 10, 20, 18, 42)
const site = '019a0000-0000-7000-8000-000000000001'
const other = '019a0000-0000-7000-8000-000000000002'

const status: ListFilter = {
  name: 'status',
  label: 'Status',
  kind: 'choice',
  choices: [
    { value: 'online', label: 'Online' },
    { value: 'offline', label: 'Offline' },
  ],
}
const place: ListFilter = { name: 'site', label: 'Site', kind: 'reference', of: sites, isNullable: true }
const use: ListFilter = { name: 'enabled', label: 'Enabled', kind: 'yesNo', yes: 'yes', no: 'no' }
const added: ListFilter = { name: 'createdAt', label: 'Added', kind: 'instant', direction: 'past' }
const time: ListFilter = { name: 'occurredAt', label: 'Time', kind: 'instant', direction: 'past', initial: 'today' }
const number: ListFilter = { name: 'unitDoor', label: 'Number', kind: 'number' }
const title: ListFilter = { name: 'title', label: 'Title', kind: 'text', isNullable: true }
const span: ListFilter = {
  name: 'state',
  label: 'State',
  kind: 'choice',
  choices: [
    { value: 'ended', label: 'Ended', toFilter: (at) => ({ 'adhoc.until': { lte: at.toISOString() } }) },
    { value: 'to_come', label: 'Upcoming', toFilter: (at) => ({ 'adhoc.from': { gt: at.toISOString() } }) },
  ],
}
const all = [status, place, use, added, number, title]

test('without a filter the server gets no condition', () => {
  expect(filterOf(all, {}, now)).toBeUndefined()
})

test.each<[string, ListFilter, string, object]>([
  ['one of a few', status, 'online', { status: 'online' }],
  ['several of a few', status, 'online,offline', { status: { in: ['online', 'offline'] } }],
  ['a choice that asks by the clock', span, 'ended', { 'adhoc.until': { lte: now.toISOString() } }],
  [
    'several of them',
    span,
    'ended,to_come',
    { or: [{ 'adhoc.until': { lte: now.toISOString() } }, { 'adhoc.from': { gt: now.toISOString() } }] },
  ],
  ['an item of another collection', place, site, { site }],
  ['several items', place, `${site},${other}`, { site: { in: [site, other] } }],
  ['none of them', place, '~empty', { site: { exists: false } }],
  ['any of them', place, '~set', { site: { exists: true } }],
  ['yes', use, 'yes', { enabled: true }],
  ['no', use, 'no', { enabled: false }],
  ['a stretch of time', added, '24h', { createdAt: { gte: new Date(2026, 10, 19, 18, 42).toISOString() } }],
  [
    'from one moment to another',
    added,
    '2026-01-01T00:00:00.000Z..2026-02-01T00:00:00.000Z',
    { createdAt: { gte: '2026-01-01T00:00:00.000Z', lt: '2026-02-01T00:00:00.000Z' } },
  ],
  ['a range of numbers', number, '2..5', { unitDoor: { gte: 2, lte: 5 } }],
  ['a number at least', number, '2..', { unitDoor: { gte: 2 } }],
  ['one number', number, '7', { unitDoor: { gte: 7, lte: 7 } }],
  ['a piece of text', title, ' night shift ', { title: { like: 'night shift' } }],
])('a filter sends the condition %s', (_what, filter, value, term) => {
  expect(termOf(filter, { value, now })).toEqual(term)
})

test.each<[string, ListFilter, string]>([
  ['a word that is none of the choices', status, 'online,burning'],
  ['nothing but commas', status, ',,'],
  ['nothing there, where something always is', status, '~empty'],
  ['an id that is none', place, 'north'],
  ['more items than the maximum', place, Array.from({ length: 101 }, () => site).join(',')],
  ['neither yes nor no', use, 'true'],
  ['a time that is none', added, 'teatime'],
  ['a range that ends before it begins', added, '2026-02-01..2026-01-01'],
  ['any time, where that is said by saying nothing', added, 'all'],
  ['a number that is none', number, '1e3'],
  ['a text of blanks', title, '  '],
])('%s is ignored', (_what, filter, value) => {
  expect(termOf(filter, { value, now })).toBeUndefined()
  expect(filterOf([filter], { [filter.name]: value }, now)).toBeUndefined()
})

test('several filters apply together, and ignore the values of other lists', () => {
  expect(filterOf(all, { status: 'online', enabled: 'no', colour: 'red' }, now)).toEqual({
    and: [{ status: 'online' }, { enabled: false }],
  })
})

test('a period may apply by default, until another or any is selected', () => {
  const today = { gte: new Date(2026, 10, 20).toISOString(), lt: new Date(2026, 10, 21).toISOString() }
  expect(filterOf([time], {}, now)).toEqual({ occurredAt: today })
  expect(filterOf([time], { occurredAt: 'all' }, now)).toBeUndefined()
  expect(filterOf([time], { occurredAt: '1h' }, now)).toEqual({
    occurredAt: { gte: new Date(2026, 10, 20, 17, 42).toISOString() },
  })
})

test('several values are separated by commas', () => {
  expect(severalOf('a,b')).toEqual(['a', 'b'])
  expect(severalOf('~empty')).toEqual([])
  expect(severalOf(undefined)).toEqual([])
})
