import { expect, onTestFinished, test } from 'vitest'
import { openGate, spawnAnotherServer } from './test-servers.ts'
import { startOwnServer } from './test-server.ts'

test('a server that receives SIGTERM stops', async () => {
  const { databaseUrl } = await someServer()
  const { requestEnd, code } = await spawnAnotherServer(databaseUrl)
  requestEnd()
  expect(await code).toBe(0)
})

test('a server that receives SIGTERM stops even if its database hangs', async () => {
  const { databaseUrl } = await someServer()
  const gate = await openGate(databaseUrl)
  const { requestEnd, code } = await spawnAnotherServer(gate.url)
  gate.hang()
  requestEnd()
  expect(await code).toBe(1)
})

async function someServer() {
  const server = await startOwnServer()
  onTestFinished(server.stop)
  return server
}
