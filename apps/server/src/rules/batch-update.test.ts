import { batchResult } from '@portcullis/contract/calls/batch-rules'
import { changePreview } from '@portcullis/contract/change-preview'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { rules } from '@portcullis/contract/collections/rules'
import { sensitiveFields } from '@portcullis/contract/sensitive-fields'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { guardsOf } from '../abilities/guards-of.ts'
import { makeItem } from '../collections/test-items.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { tableOf } from '../query/columns.ts'
import { collectionHooks } from '../hooks-by-collection.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

const { _id: user } = await makeItem({ ask, collection: 'users' })
const { _id: unit } = await makeItem({ ask, collection: 'units' })
const { _id: door } = await makeItem({ ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
const { _id: schedule } = await makeItem({ ask, collection: 'schedules' })
const who = [{ kind: 'User', id: user }]
const where = [{ kind: 'Door', id: door }]

const named = (name: string) => ({ name, effect: 'allow', who, where })
const rule = (name: string) => makeItem({ ask, collection: 'rules', fields: named(name) })

const batch = (body: object, query = '') => ask('POST', `/api/rules/batchUpdate${query}`, { body })

async function resultsOf(body: object) {
  return batchResult.parse((await batch(body)).json)
}

async function stored() {
  const { items } = await ask('GET', '/api/rules?sort={"prop":"name","dir":"asc"}')
  return items.map((item) => rules.entitySchema.parse(item))
}
const storedNames = async () => (await stored()).map(({ name }) => name)

beforeEach(async () => {
  const all = (await stored()).map(({ _id }) => _id)
  await batch({ delete: all })
})

test('a batch deletes, changes and creates rules in one step, each with its entry in the audit log (specification §7)', async () => {
  const [old, other] = [await rule('Old'), await rule('Other')]
  const { deleted, saved } = await resultsOf({
    delete: [old._id],
    save: [{ _id: other._id, version: 1, name: 'Changed' }, named('New')],
  })
  expect(await storedNames()).toEqual(['Changed', 'New'])
  expect(deleted).toMatchObject([{ _id: old._id, error: null }])
  const [changed, created] = saved
  expect(changed?._id).toBe(other._id)
  const { item } = await ask('GET', `/api/auditLogs/${created?.entry}`)
  expect(item).toMatchObject({ collection: 'rules', item: created?._id, action: 'create' })
})

test('the shared times apply to each saved rule that does not name its own', async () => {
  const other = await rule('Other')
  const adhoc = { from: '2031-01-01T00:00:00.000Z', until: '2031-01-02T00:00:00.000Z' }
  await batch({
    save: [{ _id: other._id }, named('New'), { ...named('Own'), adhoc: null, schedule: null, direction: 'exit' }],
    adhoc,
    scheduleOptions: { schedule, direction: 'entry' },
  })
  const times = (await stored()).map(({ name, ...own }) => [name, own.adhoc, own.schedule, own.direction])
  expect(times).toEqual([
    ['New', adhoc, schedule, 'entry'],
    ['Other', adhoc, schedule, 'entry'],
    ['Own', null, null, 'exit'],
  ])
})

test('if one row is refused, nothing is stored, and the error names the problem of each refused row', async () => {
  const [old, other] = [await rule('Old'), await rule('Other')]
  const elsewhere = [{ kind: 'Door', id: uuidv7() }]
  const { status, error, json } = await batch({
    delete: [old._id, uuidv7()],
    save: [named('New'), { ...named('Nowhere'), where: elsewhere }, { _id: other._id, version: 7, name: 'Late' }],
  })
  expect([status, error.code]).toEqual([422, 'rows_refused'])
  expect(Object.keys(error.fields)).toEqual(['save.1.where', 'save.2', 'delete.1'])
  expect(json).toMatchObject({
    error: { fieldErrors: { 'delete.1': { code: 'not_found' }, 'save.2': { code: 'conflict' } } },
  })
  expect(await storedNames()).toEqual(['Old', 'Other'])
})

test('a rule that another user has changed is not deleted by a batch that names its version', async () => {
  const { _id } = await rule('Theirs')
  await ask('PATCH', `/api/rules/${_id}`, { body: { note: 'Mind the cold' } })
  const { error, json } = await batch({ delete: [{ _id, version: 1 }] })
  expect(error.code).toBe('rows_refused')
  expect(json).toMatchObject({ error: { fieldErrors: { 'delete.0': { code: 'conflict' } } } })
  await batch({ delete: [{ _id, version: 2 }] })
  expect(await storedNames()).toEqual([])
})

test('invalid rows are refused, and so are rules named twice', async () => {
  const other = await rule('Other')
  const { error } = await batch({
    delete: [other._id],
    save: [{ ...named('New'), effect: 'perhaps' }, { _id: other._id, name: 'Twice' }, { name: 'Without a door' }],
  })
  expect(Object.keys(error.fields)).toEqual([
    'save.0.effect',
    'save.2.effect',
    'save.2.who',
    'save.2.where',
    'delete.0._id',
  ])
  expect(await storedNames()).toEqual(['Other'])
})

test('of many refused rows, the first 20 problems are named and the others counted', async () => {
  const save = Array.from({ length: 30 }, () => ({ effect: 'allow', who, where }))
  const { json } = await batch({ save })
  const { error } = z
    .object({ error: z.object({ fields: z.record(z.string(), z.string()), furtherFields: z.int() }) })
    .parse(json)
  expect([Object.keys(error.fields).length, error.furtherFields]).toEqual([20, 10])
})

test('a batch with more than 10,000 users, groups and doors is refused', async () => {
  const many = Array.from({ length: 5_000 }, () => ({ kind: 'Door', id: uuidv7() }))
  const { status, error } = await batch({
    save: [named('New'), ...[1, 2].map(() => ({ ...named('Wide'), where: many }))],
  })
  expect([status, error.code, Object.keys(error.fields)]).toEqual([400, 'bad_request', ['save']])
})

test('row by row, rights that have changed since the last request are looked up again', async () => {
  await rule('Old')
  await makeItem({ ask, collection: 'accounts' })
  const { saved } = await resultsOf({ save: [named('New'), named('Newer')], rowByRow: true })
  expect(saved.map(({ error }) => error)).toEqual([null, null])
})

test('row by row, the other rows are stored, and each refused one says why', async () => {
  const [old, other] = [await rule('Old'), await rule('Other')]
  const { deleted, saved } = await resultsOf({
    delete: [uuidv7(), old._id],
    save: [{ _id: other._id, version: 7, name: 'Late' }, named('New'), { ...named('New'), effect: 'perhaps' }],
    rowByRow: true,
  })
  expect(deleted.map(({ error }) => error?.code)).toEqual(['not_found', undefined])
  expect(saved.map(({ error }) => error?.code)).toEqual(['conflict', undefined, 'bad_request'])
  expect(saved[2]?.error?.fields).toHaveProperty('effect')
  expect(await storedNames()).toEqual(['New', 'Other'])
})

test('a preview of a batch says what all rows do together, and stores nothing', async () => {
  await makeItem({ ask, collection: 'credentials', fields: { kind: 'card', number: 'B-1', user } })
  const old = await rule('Old')
  const moved = await changeOf({ delete: [old._id], save: [named('New')] })
  expect([moved?.gained.cardholders, moved?.lost.cardholders]).toEqual([0, 0])
  const ended = await changeOf({ delete: [old._id] })
  expect([ended?.gained.cardholders, ended?.lost.cardholders]).toEqual([0, 1])
  expect(await storedNames()).toEqual(['Old'])
  expect((await batch({ delete: [uuidv7()] }, '?preview=true')).error.code).toBe('rows_refused')

  async function changeOf(body: object) {
    const { json } = await batch(body, '?preview=true')
    return changePreview.parse(json).access
  }
})

test('rules have nothing that many writes at once would pass over', () => {
  expect(collectionHooks(testNumbers())['rules']).toBeUndefined()
  expect(guardsOf(rules).guarded).toEqual([])
  expect(sensitiveFields(rules)).toEqual([])
  const columns = Object.values<Collection>(collections).flatMap((each) => [...tableOf(each).columns.values()])
  const referring = columns.filter(
    ({ reference, link }) => reference === rules.name || link?.of.some((target) => target.collection === rules.name),
  )
  expect(referring).toEqual([])
  const lists = [...tableOf(rules).columns.values()].flatMap(({ link }) => link ?? [])
  expect(lists).toMatchObject(lists.map(() => ({ direction: 'from', shape: 'subjects' })))
})
