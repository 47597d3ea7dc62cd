import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unitsPath } from '@portcullis/contract/unit-protocol/frames'
import { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import sql from 'sql-template-tag'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { Database } from '../database/database.ts'
import { startOwnServer } from '../test-server.ts'

const server = await startOwnServer()
afterAll(server.stop)

/** More than the server has connections for the work of users, with either login. */
const manyTransactions = 40

test('an event of a controller is stored while no connection is free for the work of users', async () => {
  const unit = await connectedUnit()
  const hold = Promise.withResolvers<void>()
  const open: string[] = []
  const work = (login: string) => async () => {
    open.push(login)
    await hold.promise
  }
  const held = Array.from({ length: manyTransactions }, () => [
    server.database.inAccounts([], work('web')),
    server.database.asSystem(work('system')),
  ]).flat()
  const ended = Promise.allSettled(held)
  try {
    await unit.present({ door: 1, kind: 'card', number: '4711', direction: 'entry' })
    await expect.poll(storedCards).toEqual(['4711'])
    for (const login of ['web', 'system']) {
      expect(open.filter((each) => each === login).length).toBeLessThan(manyTransactions)
    }
  } finally {
    hold.resolve()
    await ended
  }
})

/** A controller that is online, with a door at its number 1, and no stored event of a card. */
async function connectedUnit() {
  const { _id, serial } = await makeItem({ ask: server.ask, collection: 'units' })
  await makeItem({ ask: server.ask, collection: 'doors', fields: { unit: _id, unitDoor: 1 } })
  const dir = await mkdtemp(join(tmpdir(), 'own-connections-'))
  const url = `${server.url.replace('http', 'ws')}${unitsPath}`
  const unit = new VirtualUnit({ dir, serial: String(serial), url })
  onTestFinished(async () => {
    await unit.stop()
    await rm(dir, { recursive: true })
  })
  await unit.start()
  await unit.enrol((await server.client.enrolUnit(_id)).code)
  await expect.poll(() => unit.state().running).toMatchObject({ isOnline: true, appliedVersion: 1, pendingEvents: 0 })
  return unit
}

/** Connections of the test's own: the server has none left. */
const observer = new Database({ logins: server.logins, connections: 1 })
afterAll(() => observer.close())

async function storedCards() {
  const query = sql`select event_data ->> 'number' as number from event where event_type like 'access.%'`
  const rows = await observer.asSystem((tx) => tx.cells(query))
  return rows.map(([number]) => number)
}
