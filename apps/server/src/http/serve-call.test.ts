import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Call } from '@portcullis/contract/call'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { makeServeCall } from './serve-call.ts'

const call = {
  id: 'readFile',
  method: 'GET',
  path: '/file',
  tag: 'Files',
  summary: 'A file',
  access: 'none',
  download: ['text/csv'],
  returns: 'The file.',
} as const satisfies Call

/** The call is public, so no user is identified. */
const noUser = () => Promise.reject(new Error('No user is identified here.'))

test('a download whose reader goes away is not answered a second time', async () => {
  const logged: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => void logged.push(line) } } })
  const { serveCall } = makeServeCall({
    entering: noUser,
    answering: noUser,
    personOf: noUser,
    enqueueForUser: noUser,
    recall: () => undefined,
  })
  const file = Readable.from(endlessRows())
  serveCall(app, call, async ({ reply }) => reply.type('text/csv').send(file))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  const reader = new AbortController()
  const { status, body } = await fetch(`${url}/file`, { signal: reader.signal })
  expect(status).toBe(200)
  await body?.getReader().read()
  const isClosed = once(file, 'close')
  reader.abort()
  await isClosed
  await app.close()

  expect(logged.filter((line) => !line.includes('premature close'))).toEqual([])
})

function* endlessRows() {
  for (;;) yield 'row\n'.repeat(1_000)
}
