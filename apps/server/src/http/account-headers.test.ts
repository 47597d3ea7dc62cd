import { request as plainRequest } from 'node:http'
import { openApiDocument } from '@portcullis/contract/openapi/document'
import { errorBody } from '@portcullis/contract/errors/error-body'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const operation = z.looseObject({ security: z.array(z.unknown()).optional() })
const { paths } = z
  .looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) })
  .parse(openApiDocument({ version: '1' }))

const routes = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { security }]) => ({
    method: method.toUpperCase(),
    path: path.replaceAll(/\{\w+\}/g, '0198c0de-0000-7000-8000-000000000001'),
    isPublic: security?.length === 0,
  })),
)
const { cookie } = server.headers
const own = { 'x-js-account': server.account }

test.each<[string, Headers, string]>([
  ['X-JS-ACCOUNT twice', { 'x-js-account': [server.account, server.account] }, 'header_invalid'],
  ['x-js-all-accounts twice', { ...own, 'x-js-all-accounts': ['true', 'true'] }, 'header_invalid'],
  ['x-js-assume-account twice', { ...own, 'x-js-assume-account': ['below', 'below'] }, 'header_invalid'],
  ['an unreadable X-JS-ACCOUNT', { 'x-js-account': 'no ref' }, 'header_invalid'],
  ['an unreadable x-js-all-accounts', { ...own, 'x-js-all-accounts': 'yes' }, 'header_invalid'],
  ['an unreadable x-js-assume-account', { ...own, 'x-js-assume-account': 'null' }, 'header_invalid'],
  ['an account assumed from none', { 'x-js-assume-account': 'below' }, 'header_missing'],
])('§7 every call refuses %s', async (_what, headers, code) => {
  const answers = await Promise.all(routes.map((route) => ask(route, { cookie, ...headers })))
  expect(answers.length).toBeGreaterThan(100)
  expect(answers.filter((answer) => !answer.endsWith(`: 400 ${code}`))).toEqual([])
})

test('§7 every call in a session needs X-JS-ACCOUNT, also those about the signed-in user alone', async () => {
  const inSession = routes.filter(({ isPublic }) => !isPublic)
  const answers = await Promise.all(inSession.map((route) => ask(route, { cookie })))
  expect(answers.filter((answer) => !answer.endsWith(': 400 header_missing'))).toEqual([])
})

type Headers = Record<string, string | string[]>

/** Headers given as lists are sent one by one, which `fetch` would join. */
async function ask({ method, path }: { method: string; path: string }, headers: Headers) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  plainRequest(`${server.url}${path}`, { method, headers }, (response) => {
    text(response).then((body) => resolve(`${method} ${path}: ${response.statusCode} ${codeIn(body)}`), reject)
  })
    .on('error', reject)
    .end()
  return promise
}

function codeIn(body: string) {
  return errorBody.parse(JSON.parse(body)).error.code
}
