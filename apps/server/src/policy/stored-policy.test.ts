import type { Collection } from '@portcullis/contract/collection'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { readStored, storedPolicy, type UnreadableItem } from './stored-policy.ts'

const base = { _id: '01900000-0000-7000-8000-000000000001', account: '01900000-0000-7000-8000-000000000002' }

function read(list: keyof typeof storedPolicy, stored: object) {
  const unreadable: UnreadableItem[] = []
  const { collection, schema }: { collection: Collection; schema: z.ZodType } = storedPolicy[list]
  const item = readStored({
    collection,
    schema,
    text: JSON.stringify({ ...base, ...stored }),
    onUnreadable: (one) => unreadable.push(one),
  })
  return { item, unreadable }
}

const rule = {
  name: 'Visitors',
  effect: 'allow',
  who: [{ kind: 'User', id: base._id }],
  where: [],
  schedule: base._id,
  direction: 'both',
  adhoc: null,
  enabled: true,
}

test('limits for input do not apply to stored items', () => {
  const members = Array.from({ length: 100_001 }, (_, index) => `${index}`)
  expect(read('userGroups', { name: 'n'.repeat(500), members }).unreadable).toEqual([])
  const unit = { name: '', model: '', serial: '', site: null, inService: true }
  expect(read('units', unit).unreadable).toEqual([])
  const holiday = { kind: 'public', dates: [{ from: '1850-01-01', until: '1850-01-01', recurring: true }] }
  expect(read('holidays', { name: 'Old', calendar: null, ...holiday }).unreadable).toEqual([])
  expect(read('sites', { name: 'Moon', timeZone: 'Moon/Tranquility', calendars: [] }).unreadable).toEqual([])
})

test('an item that cannot be read is left out, and reported by name with the field', () => {
  const { item, unreadable } = read('rules', { ...rule, adhoc: { from: 'tomorrow' } })
  expect(item).toBeUndefined()
  expect(unreadable).toMatchObject([{ collection: 'rules', item: base._id, name: 'Visitors' }])
  expect(unreadable[0]?.fault).toMatch(/^adhoc\.from: /)
})

test('a deny rule whose times cannot be read applies at all times', () => {
  const { item, unreadable } = read('rules', { ...rule, effect: 'deny', adhoc: { from: 'tomorrow' } })
  expect(item).toMatchObject({ effect: 'deny', who: rule.who, schedule: null, adhoc: null })
  expect(unreadable).toHaveLength(1)
})

test('a deny rule that cannot be read at all stops the policy instead of being left out', () => {
  expect(() => read('rules', { ...rule, effect: 'deny', who: 'everybody' })).toThrow()
})
