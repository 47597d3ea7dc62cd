import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from './collections/test-items.ts'
import { startUnit, wiredDoor } from './tasks/test-door.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server
const patience = { timeout: 60_000 }

const denied = { verdict: 'deny', reason: 'credential_unknown' }
const granted = { verdict: 'grant', reason: null }

/** A user with a card, and a controller that has applied that they may open its door and applies nothing more. */
async function stuckDoor() {
  const user = await makeItem({ ask, collection: 'users' })
  const number = randomUUID().slice(0, 13)
  const credential = await makeItem({
    ask,
    collection: 'credentials',
    fields: { kind: 'card', number, user: user._id },
  })
  const wired = await wiredDoor(ask)
  const who = [{ kind: 'User', id: user._id }]
  const rule = await makeItem({ ask, collection: 'rules', fields: { who, where: [{ kind: 'Door', id: wired.door }] } })
  const controller = await startUnit(server, wired)
  const present = () => controller.present({ door: 1, kind: 'card', number, direction: 'entry' })
  await expect.poll(present, patience).toEqual(granted)
  await controller.setFaults({ memory: 'stuck' })
  const version = controller.state().running?.appliedVersion
  return { controller, present, rule: rule._id, user: user._id, credential: credential._id, version }
}

test.each([
  ['the user is suspended', (of: Ids) => ask('PATCH', `/api/users/${of.user}`, { body: { status: 'suspended' } })],
  ['the card is lost', (of: Ids) => ask('PATCH', `/api/credentials/${of.credential}`, { body: { status: 'lost' } })],
  ['the card is deleted', (of: Ids) => ask('DELETE', `/api/credentials/${of.credential}`)],
])('when %s, a connected controller denies it before it applies its configuration', async (_, end) => {
  const { present, controller, version, ...ids } = await stuckDoor()
  await end(ids)
  await expect.poll(present, patience).toEqual(denied)
  expect(controller.state().running?.appliedVersion).toBe(version)
})

test('access that begins again is granted again, also if the controller was not connected at that time', async () => {
  const { present, controller, user } = await stuckDoor()
  const set = (status: string) => ask('PATCH', `/api/users/${user}`, { body: { status } })
  await set('suspended')
  await expect.poll(present, patience).toEqual(denied)
  await set('active')
  await expect.poll(present, patience).toEqual(granted)
  await set('suspended')
  await expect.poll(present, patience).toEqual(denied)
  await controller.setFaults({ offline: true })
  await set('active')
  expect(await present()).toEqual(denied)
  await controller.setFaults({ offline: false })
  await expect.poll(present, patience).toEqual(granted)
})

test('access that ended while the controller was not connected is denied before it applies its configuration', async () => {
  const { present, controller, user, version } = await stuckDoor()
  await controller.setFaults({ offline: true })
  await ask('PATCH', `/api/users/${user}`, { body: { status: 'suspended' } })
  expect(await present()).toEqual(granted)
  await controller.setFaults({ offline: false })
  await expect.poll(present, patience).toEqual(denied)
  expect(controller.state().running?.appliedVersion).toBe(version)
})

test('access that begins again while no rule names the user here is granted once a rule does', async () => {
  const { present, controller, user, rule } = await stuckDoor()
  const enable = (enabled: boolean) => ask('PATCH', `/api/rules/${rule}`, { body: { enabled } })
  const set = (status: string) => ask('PATCH', `/api/users/${user}`, { body: { status } })
  await set('suspended')
  await expect.poll(present, patience).toEqual(denied)
  await enable(false)
  await set('active')
  await enable(true)
  await controller.setFaults({ memory: 'works' })
  await expect.poll(present, patience).toEqual(granted)
})

test('access that ends while the controller has not applied an earlier change that took it away is denied, too', async () => {
  const { present, user, rule } = await stuckDoor()
  await ask('PATCH', `/api/rules/${rule}`, { body: { enabled: false } })
  expect(await present()).toEqual(granted)
  await ask('PATCH', `/api/users/${user}`, { body: { status: 'suspended' } })
  await expect.poll(present, patience).toEqual(denied)
})

test('access that ends again after the controller has forgotten the first end is denied again', async () => {
  const { present, controller, user } = await stuckDoor()
  const set = (status: string) => ask('PATCH', `/api/users/${user}`, { body: { status } })
  await controller.setFaults({ memory: 'works' })
  await set('suspended')
  await expect.poll(present, patience).toEqual(denied)
  await expect.poll(() => controller.state().running?.blocked, patience).toEqual([])
  await set('active')
  await expect.poll(present, patience).toEqual(granted)
  await controller.setFaults({ memory: 'stuck' })
  await set('suspended')
  await expect.poll(present, patience).toEqual(denied)
})

type Ids = { user: string; credential: string }
