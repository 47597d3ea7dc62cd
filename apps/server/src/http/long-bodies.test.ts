import { afterAll, expect, test } from 'vitest'
import { startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

test('a user with many long bodies is refused, and the long body of another user is read in its turn', async () => {
  const [ann, ben] = [await server.signInAs({ role: 'admin' }), await server.signInAs({ role: 'admin' })]
  const long = JSON.stringify({ name: Array.from({ length: 40_000 }, () => 'x'.repeat(18)) })
  const flood = Array.from({ length: 40 }, () => post(ann, long))
  const other = await post(ben, JSON.stringify({ name: 'x'.repeat(70_000) }))
  expect(other).toBe(400)
  const answers = await Promise.all(flood)
  expect(new Set(answers)).toEqual(new Set([400, 429]))
})

async function post({ headers }: TestUser, body: string) {
  const { status } = await fetch(`${server.url}/api/sites`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-js-account': server.account, ...headers },
  })
  return status
}
