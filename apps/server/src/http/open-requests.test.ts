import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

test('a file in answer to a call has no more listeners than Node expects, and warns of none', async () => {
  const warnings: string[] = []
  const collect = ({ message }: Error) => void warnings.push(message)
  process.on('warning', collect)
  onTestFinished(() => void process.off('warning', collect))
  const path = `/api/users/${server.userId}/access/export`
  expect((await server.ask('POST', path, { body: { format: 'csv' } })).status).toBe(200)
  expect(warnings).toEqual([])
})
