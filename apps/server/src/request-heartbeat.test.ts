import { units } from '@portcullis/contract/collections/units'
import { afterAll, expect, test, vi } from 'vitest'
import { startUnit, wiredDoor } from './tasks/test-door.ts'
import { startSecondServer } from './test-servers.ts'
import { request, startOwnServer } from './test-server.ts'
import { connectTestSocket } from './test-socket.ts'

const server = await startOwnServer()
afterAll(server.stop)
const { ask } = server

const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000 })
const stateOf = async (unit: string) => units.entitySchema.parse((await ask('GET', `/api/units/${unit}`)).item)

async function onlineUnit() {
  const wired = await wiredDoor(ask)
  const controller = await startUnit(server, wired)
  await soon(async () => expect(await stateOf(wired.unit)).toMatchObject({ status: 'online' }))
  return { ...wired, controller }
}

test('§7 requestHB: a controller connected to another server answers at once, and open pages see it', async () => {
  const { unit } = await onlineUnit()
  const { url, stop } = await startSecondServer(server.databaseUrl)
  const socket = await connectTestSocket({ url: server.url, headers: server.headers })
  await socket.join('unit:main:*')
  const asked = await request(`${url}/api/units/${unit}/requestHB`, {
    method: 'POST',
    headers: { 'x-js-account': 'main', ...server.headers },
  })
  expect(asked.status).toBe(200)
  const answered = await soon(async () => {
    const state = await stateOf(unit)
    expect(state.heartbeatAnsweredAt).not.toBeNull()
    return state
  })
  expect(asked.json).toEqual({ requestedAt: answered.heartbeatRequestedAt })
  expect(Date.parse(answered.heartbeatAnsweredAt ?? '')).toBeGreaterThanOrEqual(
    Date.parse(answered.heartbeatRequestedAt ?? ''),
  )
  const answers = () => socket.received.map(({ body }) => body['heartbeatAnsweredAt'])
  await soon(() => expect(answers()).toContain(answered.heartbeatAnsweredAt))
  socket.close()
  await stop()
})

test('a second request while the first one waits is the same, and a controller that does not answer leaves it open', async () => {
  const { unit, controller } = await onlineUnit()
  await controller.setFaults({ slowMs: 600_000 })
  const first = await ask('POST', `/api/units/${unit}/requestHB`)
  const second = await ask('POST', `/api/units/${unit}/requestHB`)
  expect(second.json).toEqual(first.json)
  expect(await stateOf(unit)).toMatchObject({ heartbeatAnsweredAt: null })
})

test('a controller that is offline is not asked, and one of another account does not exist', async () => {
  const { unit } = await wiredDoor(ask)
  expect((await ask('POST', `/api/units/${unit}/requestHB`)).error.code).toBe('unit_offline')
  await ask('POST', '/api/accounts', { body: { name: 'Elsewhere', ref: 'elsewhere' } })
  const other = await server.signInAs({ role: 'admin', account: 'elsewhere' })
  expect((await other.ask('POST', `/api/units/${unit}/requestHB`)).status).toBe(404)
})
