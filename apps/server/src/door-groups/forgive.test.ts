import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

test('only a user of the account or of one below is forgiven', async () => {
  const area = { antiPassback: { kind: 'hard', minutes: 1 } }
  const group = await makeItem({ ask, collection: 'doorGroups', fields: area })
  const forgive = (user: string) => ask('POST', `/api/doorGroups/${group._id}/forgive`, { body: { user } })
  const { _id } = await makeItem({ ask, collection: 'users' })
  expect((await forgive(_id)).status).toBe(200)
  const { status, error } = await forgive(uuidv7())
  expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'unknown_reference', ['user']])
  const { item } = await ask('GET', `/api/doorGroups/${group._id}`)
  expect(Object.keys(doorGroups.entitySchema.parse(item).forgivenAt)).toEqual([_id])
})
