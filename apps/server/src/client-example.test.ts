import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { recordChanges } from './changes/record-change.ts'
import { makeItem } from './collections/test-items.ts'
import { storeEvent } from './collections/test-events.ts'
import { password, startTestServer } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const example = fileURLToPath(new URL('../../../packages/client/examples/list-doors.ts', import.meta.url))

test('the example of the client signs in, lists doors and says events as they happen', async () => {
  const door = await makeItem({ ask: server.ask, collection: 'doors', fields: { name: 'North gate' } })
  const settings = { PORTCULLIS_URL: server.url, EMAIL: server.email, PASSWORD: password }
  const program = spawn(process.execPath, [example], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const said: string[] = []
    for await (const line of createInterface(program.stdout)) {
      said.push(line)
      if (line.startsWith('Following')) {
        await happens(door._id)
      }
      if (line.includes('access.')) break
    }
    expect(said).toEqual([
      expect.stringMatching(/^Signed in as .+, in main\.$/),
      'Door North gate: normal, unknown',
      'Following events. Press Ctrl+C to stop.',
      expect.stringMatching(/^\d{4}-\S+Z access\.denied at North gate$/),
    ])
  } finally {
    program.kill()
  }
})

/** What the units' gateway does when a unit tells of an event. */
async function happens(door: string) {
  const account = await server.keyOf('main')
  const item = await storeEvent(server.database, { account, outcome: 'denied', door })
  const change = { account, collection: 'events', item, action: 'save' as const, isPolicy: false }
  await server.database.asSystem((tx) => recordChanges(tx, [change]))
}
