import { engravedNumber } from '@portcullis/domain/cards/i-button'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

test.each([
  { role: 'accessManager' as const, may: true },
  { role: 'accountManager' as const, may: false },
])('only roles that may manage iButton change iButton numbers: $role $may', async ({ role, may }) => {
  const { ask } = await server.signInAs({ role })
  const buttonNumber = (serial: number) => engravedNumber(serial, may ? 0x01 : 0x02)
  const made = (kind: string, number: string) =>
    makeItem({ ask: server.ask, collection: 'credentials', fields: { kind, number } })
  const [button, card] = [await made('iButton', buttonNumber(1)), await made('card', buttonNumber(2))]
  const create = (kind: string, number: string) => ask('POST', '/api/credentials', { body: { kind, number } })
  const patch = (id: string, body: unknown) => ask('PATCH', `/api/credentials/${id}`, { body })
  const answers = [
    await create('iButton', buttonNumber(3)),
    await patch(button._id, { number: buttonNumber(4) }),
    await patch(card._id, { kind: 'iButton' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual(may ? [201, 200, 200] : [403, 403, 403])
  expect((await create('card', `${role}-5`)).status).toBe(201)
  expect((await patch(button._id, { status: 'lost' })).status).toBe(200)
})
