import { readerLimits } from '@portcullis/contract/calls/remote-access'
import { events } from '@portcullis/contract/collections/events'
import { tasks } from '@portcullis/contract/collections/tasks'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeOutcomes } from '../gateway/approvals.ts'
import { startOwnServer, type TestServer } from '../test-server.ts'
import { raiseAtReader } from './raise-at-reader.ts'
import { wiredDoor } from './test-door.ts'

let server: TestServer
let account: number
beforeAll(async () => {
  server = await startOwnServer()
  account = await server.keyOf(server.account)
})
afterAll(() => server.stop())

type Wired = { door: string; unit: string }
const ann = { _id: uuidv7(), name: 'Ann' }

test('§3 a user has one open request at a door, however often its controller raises it', async () => {
  const wired = await wiredDoor(server.ask)
  const ids = Array.from({ length: 40 }, () => uuidv7())
  const outcomes = await Promise.all(ids.map((unitRequest) => raise(wired, { unitRequest })))
  expect(new Set(outcomes)).toEqual(new Set(['raised']))
  const last = uuidv7()
  expect(await raise(wired, { unitRequest: last })).toBe('raised')
  const { items } = await server.client.of(tasks).list({ filter: { door: wired.door } })
  expect(items).toMatchObject([{ status: 'Requested', userName: 'Ann' }])
  const filter = { door: wired.door, type: 'access.remote_requested' }
  expect((await server.client.of(events).list({ filter })).items).toHaveLength(1)

  await server.client.remoteAccess.deny(items[0]?._id ?? '')
  const answered = await server.database.asSystem((tx) => takeOutcomes(tx, wired.unit))
  expect(answered).toEqual([{ id: last, outcome: 'denied' }])
  expect(await raise(wired, { unitRequest: last })).toBe('raised')
  expect((await server.client.of(tasks).list({ filter: { door: wired.door } })).items).toHaveLength(1)
})

test('§3 of parallel requests of many users at one controller, 30 a minute are raised, and others at another', async () => {
  const [busy, quiet] = [await wiredDoor(server.ask), await wiredDoor(server.ask)]
  const users = Array.from({ length: readerLimits.perUnit + 10 }, () => ({ _id: uuidv7(), name: 'Ben' }))
  const outcomes = await Promise.all(users.map((user) => raise(busy, { user })))
  expect(outcomes.filter((outcome) => outcome === 'raised')).toHaveLength(readerLimits.perUnit)
  expect(outcomes.filter((outcome) => outcome === 'unavailable')).toHaveLength(10)
  expect(await raise(quiet, {})).toBe('raised')
})

function raise({ door, unit }: Wired, { user = ann, unitRequest = uuidv7() }) {
  const request = { account, unit, door, user, unitRequest, expiresAfterSeconds: 60 }
  return server.database.asSystem((tx) => raiseAtReader(tx, request))
}
