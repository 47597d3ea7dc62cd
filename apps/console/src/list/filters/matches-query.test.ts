import { expect, test } from 'vitest'
import { matchesQuery } from './matches-query.ts'

const of = { searchable: ['name', 'title'] }
const item = {
  _id: '1',
  name: 'Siobhán O’Reilly',
  title: null,
  status: 'active',
  door: 3,
  at: '2026-11-20T10:00:00.000Z',
  adhoc: { until: '2026-11-20T10:00:00.000Z' },
}

test.each([
  [{}, true],
  [{ status: 'active' }, true],
  [{ status: 'suspended' }, false],
  [{ status: { in: ['active', 'suspended'] } }, true],
  [{ status: { nin: ['active'] } }, false],
  [{ title: null }, true],
  [{ title: { exists: true } }, false],
  [{ title: { ne: 'x' } }, true],
  [{ title: { gt: 'a' } }, false],
  [{ name: { like: 'o’reilly' } }, true],
  [{ door: { gte: 3, lt: 4 } }, true],
  [{ door: { gt: 3 } }, false],
  [{ at: { gte: '2026-11-20T00:00:00.000Z', lt: '2026-11-21T00:00:00.000Z' } }, true],
  [{ at: { lt: '2026-11-20T00:00:00.000Z' } }, false],
  [{ 'adhoc.until': { gt: '2026-11-20T00:00:00.000Z' } }, true],
  [{ 'title.until': { exists: true } }, false],
  [{ and: [{ status: 'active' }, { door: 4 }] }, false],
  [{ or: [{ status: 'suspended' }, { door: 3 }] }, true],
  [{ not: { title: { exists: true } } }, true],
  [{ status: { near: 'active' } }, false],
])('§4 live rows: whether an item belongs to %o is decided as on the server', (filter, belongs) => {
  expect(matchesQuery(of, item, { filter })).toBe(belongs)
})

test('§4 live rows: a search looks where the server looks', () => {
  expect(matchesQuery(of, item, { search: 'SIOBHÁN' })).toBe(true)
  expect(matchesQuery(of, item, { search: 'active' })).toBe(false)
})
