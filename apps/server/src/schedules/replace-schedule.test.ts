import { replacedSchedule } from '@portcullis/contract/calls/replace-schedule'
import { changePreview } from '@portcullis/contract/change-preview'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

const { _id: user } = await makeItem({ ask, collection: 'users' })
const { _id: unit } = await makeItem({ ask, collection: 'units' })
const { _id: door } = await makeItem({ ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
const who = [{ kind: 'User', id: user }]
const where = [{ kind: 'Door', id: door }]

const schedule = async (fields: object = {}) =>
  (await makeItem({ ask, collection: 'schedules', fields: { ...fields } }))._id
const rule = async (fields: object) =>
  (await makeItem({ ask, collection: 'rules', fields: { effect: 'allow', who, where, ...fields } }))._id
const scheduleOf = async (id: string) => (await ask('GET', `/api/rules/${id}`)).item['schedule']
const replace = (id: string, body: object, query = '') => ask('POST', `/api/schedules/${id}/replace${query}`, { body })

test('a schedule in use is replaced in all its rules and deleted, each with its entry in the audit log', async () => {
  const [old, other, third] = [await schedule(), await schedule(), await schedule()]
  const [day, night, lone] = [
    await rule({ schedule: old }),
    await rule({ schedule: old }),
    await rule({ schedule: third }),
  ]
  const { status, json } = await replace(old, { by: other, delete: true })
  expect(status).toBe(200)
  const { rules, deletion } = replacedSchedule.parse(json)
  expect(rules.map(({ _id }) => _id)).toEqual([day, night])
  expect([await scheduleOf(day), await scheduleOf(night), await scheduleOf(lone)]).toEqual([other, other, third])
  expect((await ask('GET', `/api/schedules/${old}`)).status).toBe(404)
  const { item: change } = await ask('GET', `/api/auditLogs/${rules[0]?.entry}`)
  expect(change).toMatchObject({ collection: 'rules', item: day, action: 'patch' })
  const { item: removal } = await ask('GET', `/api/auditLogs/${deletion}`)
  expect(removal).toMatchObject({ collection: 'schedules', item: old, action: 'delete' })
})

test('a schedule by which doors stand unlocked is replaced in them, too', async () => {
  const [old, other] = [await schedule(), await schedule()]
  const { _id: shop } = await makeItem({ ask, collection: 'doors', fields: { unlockSchedule: old } })
  const unreplaced = await ask('DELETE', `/api/schedules/${old}`)
  expect([unreplaced.status, unreplaced.error.message]).toEqual([422, 'Used by doors. Remove those references first.'])
  const { json } = await replace(old, { by: other, delete: true })
  const { doors } = replacedSchedule.parse(json)
  expect(doors.map(({ _id }) => _id)).toEqual([shop])
  expect((await ask('GET', `/api/doors/${shop}`)).item['unlockSchedule']).toBe(other)
  expect((await ask('GET', `/api/schedules/${old}`)).status).toBe(404)
  const { item: change } = await ask('GET', `/api/auditLogs/${doors[0]?.entry}`)
  expect(change).toMatchObject({ collection: 'doors', item: shop, after: { unlockSchedule: other } })
})

test('without delete, the schedule stays', async () => {
  const [old, other] = [await schedule(), await schedule()]
  const day = await rule({ schedule: old })
  const { json } = await replace(old, { by: other })
  expect(replacedSchedule.parse(json).deletion).toBeNull()
  expect(await scheduleOf(day)).toBe(other)
  expect((await ask('GET', `/api/schedules/${old}`)).status).toBe(200)
})

test('a preview says who gains and loses access, and stores nothing', async () => {
  await makeItem({ ask, collection: 'credentials', fields: { kind: 'card', number: 'R-1', user } })
  const [old, never] = [await schedule({ windows: [{ days: [1], start: '08:00', end: '12:00' }] }), await schedule()]
  const { _id: gate } = await makeItem({ ask, collection: 'doors', fields: { unit, unitDoor: 2 } })
  const day = await rule({ schedule: old, where: [{ kind: 'Door', id: gate }] })
  const { json } = await replace(old, { by: never, delete: true }, '?preview=true')
  const { access } = changePreview.parse(json)
  expect([access?.gained.cardholders, access?.lost.cardholders]).toEqual([0, 1])
  expect(await scheduleOf(day)).toBe(old)
})

test('a schedule that an account above uses is not deleted, nothing changes, and the rule is not revealed', async () => {
  await makeItem({ ask, collection: 'accounts', fields: { ref: 'branch' } })
  const below = server.in('branch')
  const { _id: old } = await makeItem({ ask: below, collection: 'schedules' })
  const { _id: other } = await makeItem({ ask: below, collection: 'schedules' })
  const { _id: own } = await makeItem({ ask: below, collection: 'rules', fields: { schedule: old } })
  const above = await rule({ schedule: old })
  const refused = await below('POST', `/api/schedules/${old}/replace`, { body: { by: other, delete: true } })
  expect([refused.status, refused.error.code]).toEqual([422, 'schedule_used_elsewhere'])
  expect(JSON.stringify(refused.json)).not.toContain(above)
  expect((await below('GET', `/api/rules/${own}`)).item['schedule']).toBe(old)
})

test('an unknown schedule, an unknown replacement and the schedule itself are refused', async () => {
  const old = await schedule()
  expect((await replace(uuidv7(), { by: old })).status).toBe(404)
  const { error } = await replace(old, { by: uuidv7(), delete: true })
  expect([error.code, Object.keys(error.fields)]).toEqual(['unknown_reference', ['by']])
  expect((await replace(old, { by: old, delete: true })).error.code).toBe('bad_request')
})

test('a schedule of 1,000 rules is replaced and deleted at once', async () => {
  const [old, other] = [await schedule(), await schedule()]
  const save = Array.from({ length: 1_000 }, (_, at) => ({
    name: `Rule ${at}`,
    effect: 'allow',
    who,
    where,
    schedule: old,
  }))
  expect((await ask('POST', '/api/rules/batchUpdate', { body: { save } })).status).toBe(200)
  const { status, json } = await replace(old, { by: other, delete: true })
  expect(status).toBe(200)
  const { rules } = replacedSchedule.parse(json)
  expect(new Set(rules.map(({ entry }) => entry)).size).toBe(1_000)
  expect(await scheduleOf(rules[999]?._id ?? '')).toBe(other)
})

test('a schedule that no rule uses is deleted', async () => {
  const [old, other] = [await schedule(), await schedule()]
  const { json } = await replace(old, { by: other, delete: true })
  const { rules, deletion } = replacedSchedule.parse(json)
  expect([rules, deletion === null]).toEqual([[], false])
})
