import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { shareConnections } from './share-connections.ts'

const open: ReturnType<typeof connect>[] = []
const server = createServer((request, response) => {
  if (request.url === '/held') response.write('.')
  else response.end('ok')
})
shareConnections(server, { trustedProxies: ['127.0.0.9'], share: 2 })
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = z.object({ port: z.int() }).parse(server.address())
afterAll(() => {
  for (const socket of open) socket.destroy()
  server.close()
})

/** Connects from an address of this machine; returns what came first: an answer, or the end. */
async function get(localAddress: string, path: string) {
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  open.push(socket)
  const closed = once(socket, 'close').then(() => 'closed' as const)
  socket.on('error', () => socket.destroy())
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return {
    first: await Promise.race([
      once(socket, 'data').then(
        () => 'answered' as const,
        () => closed,
      ),
      closed,
    ]),
    closed,
  }
}

test('a network whose share is used up is refused, and other addresses and proxies connect', async () => {
  for (const _of of [1, 2]) expect((await get('127.0.0.2', '/held')).first).toBe('answered')
  expect((await get('127.0.0.2', '/')).first).toBe('closed')
  expect((await get('127.0.0.3', '/')).first).toBe('answered')
  for (const _of of [1, 2, 3]) expect((await get('127.0.0.9', '/held')).first).toBe('answered')
})

test('a new connection of a network takes the place of its longest idle one', async () => {
  const [oldest, next] = [await get('127.0.0.4', '/'), await get('127.0.0.4', '/held')]
  expect([oldest.first, next.first]).toEqual(['answered', 'answered'])
  expect((await get('127.0.0.4', '/held')).first).toBe('answered')
  expect(await oldest.closed).toBe('closed')
  expect((await get('127.0.0.4', '/')).first).toBe('closed')
})
