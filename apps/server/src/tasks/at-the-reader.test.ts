import { randomInt } from 'node:crypto'
import { events } from '@portcullis/contract/collections/events'
import { tasks } from '@portcullis/contract/collections/tasks'
import type { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'
import { startUnit, wiredDoor } from './test-door.ts'

const server = await startTestServer()
afterAll(server.stop)
const guard = await server.signInAs({ role: 'accessManager' })

let door: string
let unit: VirtualUnit
let number: string
beforeEach(async () => {
  const wired = await wiredDoor(server.ask, { requiresRemoteAuth: true })
  door = wired.door
  const user = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Nomsa Dlamini' } })
  number = `${wired.serial}-card`
  await makeItem({ ask: server.ask, collection: 'credentials', fields: { number, user: user._id } })
  const fields = { who: [{ kind: 'User', id: user._id }], where: [{ kind: 'Door', id: door }] }
  await makeItem({ ask: server.ask, collection: 'rules', fields })
  unit = await startUnit(server, wired)
  await vi.waitUntil(() => isInSync(wired.unit), { timeout: 60_000 })
})

test('§3 an allowed user waits at a door that needs approval, and it opens when granted', async () => {
  const verdict = present()
  const request = await raised()
  expect(request).toMatchObject({ userName: 'Nomsa Dlamini', data: { expiresAfterSeconds: 60 } })
  await guard.client.remoteAccess.grant(request._id)
  expect(await verdict).toEqual({ verdict: 'grant', reason: null })
  await expect.poll(async () => (await requestsHere())[0]?.delivery).toBe('opened')
  await expect
    .poll(eventsHere)
    .toEqual(
      expect.arrayContaining([
        'access.remote_requested',
        'access.remote_granted',
        'door.unlocked_once',
        'access.granted by Nomsa Dlamini',
        'door.opened',
      ]),
    )
})

test('§3 the server expires an undecided request, and the door reports remote_timeout', async () => {
  const verdict = present()
  const { _id } = await raised()
  await server.database.asSystem((tx) => tx.run(sql`update task set task_expires_at = now() where task_id = ${_id}`))
  expect(await verdict).toEqual({ verdict: 'deny', reason: 'remote_timeout' })
  expect((await requestsHere())[0]?.status).toBe('Expired')
  await expect.poll(eventsHere).toContain('access.denied by Nomsa Dlamini: remote_timeout')
})

test('§3 an offline unit denies with remote_unavailable and raises no request', async () => {
  await unit.setFaults({ offline: true })
  await expect.poll(() => unit.state().running?.isOnline).toBe(false)
  expect(await present()).toEqual({ verdict: 'deny', reason: 'remote_unavailable' })
  expect(await requestsHere()).toEqual([])
})

test('§3 a unit that goes offline while a user waits denies, and ignores a later grant', async () => {
  const verdict = present()
  const { _id } = await raised()
  await unit.setFaults({ offline: true })
  expect(await verdict).toEqual({ verdict: 'deny', reason: 'remote_unavailable' })
  await guard.client.remoteAccess.grant(_id)
  await unit.setFaults({ offline: false })
  await expect.poll(async () => (await requestsHere())[0]?.delivery).toBe('not_delivered')
  expect(await eventsHere()).not.toContain('door.unlocked_once')
})

test('§3 lockdown wins: a grant is refused, and the door reports door_locked_down', async () => {
  const verdict = present()
  const { _id } = await raised()
  expect((await server.ask('PUT', `/api/doors/${door}/mode`, { body: { mode: 'lockdown' } })).status).toBe(200)
  const refused = await guard.ask('POST', `/api/tasks/${_id}/actionRemoteAuth`, { body: { grant: true } })
  expect(refused).toMatchObject({ status: 422 })
  await expect
    .poll(async () => (await server.ask('GET', `/api/doors/${door}`)).item)
    .toMatchObject({ modeVersion: 1, appliedModeVersion: 1 })
  await guard.client.remoteAccess.deny(_id)
  expect(await verdict).toEqual({ verdict: 'deny', reason: 'door_locked_down' })
})

test('§3 a user who enters a PIN without a card waits for approval, and the request contains no PIN', async () => {
  const wired = await wiredDoor(server.ask, { requiresRemoteAuth: true, acceptsPinAlone: true })
  door = wired.door
  const user = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Amir Haddad' } })
  const pin = `${randomInt(10_000_000, 99_999_999)}`
  await makeItem({ ask: server.ask, collection: 'credentials', fields: { kind: 'pin', number: pin, user: user._id } })
  const fields = { who: [{ kind: 'User', id: user._id }], where: [{ kind: 'Door', id: door }] }
  await makeItem({ ask: server.ask, collection: 'rules', fields })
  const keypad = await startUnit(server, wired)
  await vi.waitUntil(() => isInSync(wired.unit), { timeout: 60_000 })
  const verdict = keypad.present({ door: 1, kind: 'pin', pin, direction: 'entry' })
  const request = await raised()
  expect(request).toMatchObject({ userName: 'Amir Haddad' })
  expect(JSON.stringify(request)).not.toContain(pin)
  await guard.client.remoteAccess.grant(request._id)
  expect(await verdict).toEqual({ verdict: 'grant', reason: null })
  await expect.poll(eventsHere).toContain('access.granted by Amir Haddad')
})

test('§3 an unknown credential is denied at once, without a request', async () => {
  expect(await unit.present({ door: 1, kind: 'card', number: 'unknown', direction: 'entry' })).toEqual({
    verdict: 'deny',
    reason: 'credential_unknown',
  })
  expect(await requestsHere()).toEqual([])
})

function present() {
  return unit.present({ door: 1, kind: 'card', number, direction: 'entry' })
}

async function raised() {
  await expect.poll(async () => (await requestsHere())[0]?.status).toBe('Requested')
  return tasks.entitySchema.parse((await requestsHere())[0])
}

async function requestsHere() {
  const query = new URLSearchParams({ filter: JSON.stringify({ door }) })
  const { items } = await server.ask('GET', `/api/tasks?${query.toString()}`)
  return items.map((item) => tasks.entitySchema.parse(item))
}

async function eventsHere() {
  const query = new URLSearchParams({ filter: JSON.stringify({ door }), size: '100' })
  const { items } = await server.ask('GET', `/api/events?${query.toString()}`)
  return items.map((item) => {
    const { type, reason, data } = events.entitySchema.parse(item)
    const who = type === 'access.granted' || type === 'access.denied' ? ` by ${data.names.user}` : ''
    return `${type}${who}${reason === null ? '' : `: ${reason}`}`
  })
}

async function isInSync(id: string) {
  const { item } = await server.ask('GET', `/api/units/${id}`)
  return item['appliedVersion'] !== null && item['appliedVersion'] === item['desiredVersion']
}
