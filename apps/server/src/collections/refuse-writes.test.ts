import { collectionCall } from '@portcullis/contract/collection-calls'
import { collections } from '@portcullis/contract/collections/registry'
import { openApiDocument } from '@portcullis/contract/openapi/document'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const { paths } = openApiDocument({ version: '1' })
const refused = [collections.events, collections.auditLogs].flatMap((collection) =>
  (['create', 'patch', 'delete'] as const).map((verb) => collectionCall(collection, verb)),
)

test.each(refused)(
  '§7 $method $path answers 405 with the reason and the methods that work',
  async ({ method, path }) => {
    const { status, error, headers } = await server.ask(method, path.replace('{id}', uuidv7()), { body: {} })
    expect([status, error.code, headers.get('allow')]).toEqual([405, 'read_only', 'GET, HEAD'])
    expect(error.message).toBe(
      'Only the server writes these records, so that they prove what happened. They cannot be created, changed or deleted.',
    )
  },
)

test.each(refused)('$method $path needs a session, and only one', async ({ method, path }) => {
  const url = path.replace('{id}', uuidv7())
  expect((await server.ask(method, url, { headers: { cookie: '' }, body: {} })).status).toBe(401)
  const user = await server.signInAs({ role: 'appUser' })
  expect((await user.ask(method, url, { body: {} })).status).toBe(405)
})

test.each(refused)('the reference says that $method $path is refused', ({ method, path }) => {
  const operation = paths[path]?.[method.toLowerCase()]
  expect(operation).toMatchObject({
    responses: { 405: { description: 'read_only', headers: { Allow: { $ref: '#/components/headers/Allow' } } } },
  })
  expect(JSON.stringify(operation)).not.toMatch(/"20[014]":/)
})

test.each(['/api/events', '/api/auditLogs'])('%s takes the methods that Allow names', async (path) => {
  for (const method of ['GET', 'HEAD']) expect((await server.ask(method, path)).status, method).toBe(200)
})
