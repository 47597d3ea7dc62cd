import sql from 'sql-template-tag'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer } from '../test-server.ts'
import { updateDoorStates } from './door-states.ts'
import { eventRow } from './event-row.ts'
import { recordUnitChanges } from './unit-events.ts'

const server = await startTestServer()
afterAll(server.stop)

test('§1 state changes of doors and controllers are announced like other changes, with the body of GET', async () => {
  const connection = await connectTestSocket({ url: server.url, headers: server.headers })
  onTestFinished(connection.close)
  for (const room of [`door:${server.account}:*`, `unit:${server.account}:*`])
    expect(await connection.join(room)).toBe('ok')
  const account = await server.keyOf(server.account)
  const { _id: door } = await makeItem({ ask: server.ask, collection: 'doors' })
  const { _id: unit } = await makeItem({ ask: server.ask, collection: 'units' })
  const occurredAt = new Date().toISOString()
  await server.database.asSystem(async (tx) => {
    updateDoorStates(tx, [eventRow({ account, type: 'door.held', door, occurredAt })])
    await tx.run(sql`update unit_state set unit_state_status = 'online' where unit_state_id = ${unit}`)
    await recordUnitChanges(tx, [{ unit, account }])
  })
  for (const [path, state] of [
    [`/api/doors/${door}`, { state: 'held' }],
    [`/api/units/${unit}`, { status: 'online' }],
  ] as const) {
    const { item } = await server.ask('GET', path)
    expect(item).toMatchObject(state)
    const lastReceived = () => connection.received.findLast(({ body }) => body._id === item._id)?.body
    await expect.poll(lastReceived).toEqual(item)
  }
})
