import { request as plainRequest } from 'node:http'
import { connect } from 'node:net'
import { errorBody } from '@portcullis/contract/errors/error-body'
import { afterAll, describe, expect, test } from 'vitest'
import { request, startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const { cookie } = server.headers
const site = { name: 'Oslo', timeZone: 'Europe/Oslo' }
const path = '/api/sites'

function send(options: { method: string; path?: string; headers: Record<string, string>; body?: unknown }) {
  return request(`${server.url}${options.path ?? path}`, options)
}

describe('a request that changes data', () => {
  test.each(['POST', 'PATCH', 'DELETE', 'PUT'])(
    'is refused without X-JS-ACCOUNT, which no page of another site can add (%s)',
    async (method) => {
      const answer = await send({ method, path: `${path}/7`, headers: { cookie }, body: site })
      expect([answer.status, answer.error.code]).toEqual([400, 'header_missing'])
    },
  )

  test('is refused from a page of another origin, and changes nothing', async () => {
    const before = await server.ask('GET', path)
    for (const origin of ['https://evil.example', 'null', 'garbage', `${server.url}.evil.example`, 'file://']) {
      for (const address of [path, '/%61pi/sites', '/api/auth/logout', '/%61pi/auth/logout', '/api/auth/login']) {
        const headers = { cookie, origin, 'x-js-account': server.account }
        const answer = await send({ method: 'POST', path: address, headers, body: site })
        expect([answer.status, answer.error.code], `${origin} ${address}`).toEqual([403, 'origin_refused'])
      }
    }
    expect((await server.ask('GET', path)).page).toEqual(before.page)
  })

  test('is accepted from our own origin, and from programs that name none', async () => {
    const own = await send({
      method: 'POST',
      headers: { cookie, origin: server.url, 'x-js-account': server.account },
      body: site,
    })
    const program = await send({ method: 'POST', headers: { cookie, 'x-js-account': server.account }, body: site })
    expect([own.status, program.status]).toEqual([201, 201])
  })
})

describe('X-JS-ACCOUNT', () => {
  const get = (headers: Record<string, string>) => send({ method: 'GET', headers: { cookie, ...headers } })

  test('is on every request', async () => {
    const answer = await get({})
    expect([answer.status, answer.error.code]).toEqual([400, 'header_missing'])
  })

  test.each(['', 'Main', 'main account', '../main', "main'", 'x'.repeat(41), 'main,main'])(
    'is a ref: not "%s"',
    async (account) => {
      const answer = await get({ 'x-js-account': account })
      expect([answer.status, answer.error.code]).toEqual([400, 'header_invalid'])
    },
  )

  test('of null means the first account of the user', async () => {
    expect((await get({ 'x-js-account': 'null' })).status).toBe(200)
  })

  test.each<Record<string, string | string[]>>([
    { 'x-js-account': [server.account, server.account] },
    { 'x-js-account': server.account, 'x-js-all-accounts': ['true', 'false'] },
  ])('is refused if given twice, and so are the other account headers: %j', async (headers) => {
    expect(await statusOf({ cookie, ...headers })).toBe(400)
  })

  test.each<Record<string, string[]>>([
    { 'x-js-account': [server.account, server.account] },
    { 'x-js-assume-account': ['true', 'true'] },
  ])(
    'is refused if given twice on calls that need no account, and so are the other account headers: %j',
    async (headers) => {
      for (const path of ['/api/users/me', '/config']) {
        expect(await statusOf({ cookie, ...headers }, path), path).toBe(400)
      }
    },
  )

  test.each(['yes', '1', '', 'TRUE'])('x-js-all-accounts is true or false, not "%s"', async (all) => {
    const answer = await get({ 'x-js-account': server.account, 'x-js-all-accounts': all })
    expect([answer.status, answer.error.code]).toEqual([400, 'header_invalid'])
  })
})

describe('every refusal', () => {
  test.each<[string, number, Parameters<typeof send>[0]]>([
    ['an unknown address of the API', 404, { method: 'GET', path: '/api/nothing', headers: {} }],
    ['an unknown verb', 404, { method: 'PUT', headers: { 'x-js-account': server.account }, body: {} }],
    ['no session', 401, { method: 'GET', headers: { 'x-js-account': server.account } }],
    [
      'text that is not JSON',
      400,
      { method: 'POST', headers: { cookie, 'x-js-account': server.account }, body: '{"name"' },
    ],
    [
      'a body of another kind',
      400,
      { method: 'POST', headers: { cookie, 'x-js-account': server.account, 'content-type': 'text/xml' }, body: '<a/>' },
    ],
    [
      'a key twice',
      400,
      {
        method: 'POST',
        headers: { cookie, 'x-js-account': server.account },
        body: '{"name":"a","n\\u0061me":"b","timeZone":"UTC"}',
      },
    ],
    [
      'a prototype',
      400,
      {
        method: 'POST',
        headers: { cookie, 'x-js-account': server.account },
        body: '{"__proto__":{"name":"a"},"timeZone":"UTC"}',
      },
    ],
    [
      'more than 1 MB',
      413,
      {
        method: 'POST',
        headers: { cookie, 'x-js-account': server.account },
        body: { ...site, address: 'x'.repeat(1_100_000) },
      },
    ],
    [
      'more than 64 kB where no session is needed',
      413,
      {
        method: 'POST',
        path: '/api/auth/login',
        headers: { 'x-js-account': 'null' },
        body: { email: 'x'.repeat(66_000) },
      },
    ],
    ['headers beyond measure', 400, { method: 'GET', headers: { cookie, 'x-js-account': 'x'.repeat(200_000) } }],
    [
      'an address that is none',
      400,
      { method: 'GET', path: '/api/sites/%E0%A4%A', headers: { cookie, 'x-js-account': server.account } },
    ],
  ])('is refused with a code and a message: %s', async (_what, status, options) => {
    const answer = await send(options)
    expect(answer.status).toBe(status)
    const { error } = errorBody.parse(answer.json)
    expect(error.message).not.toMatch(/select|insert|\/work|\.ts|\n/)
  })

  test('refuses bytes that are not HTTP', async () => {
    const { hostname, port } = new URL(server.url)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let received = ''
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write('NONSENSE\r\n\r\n'))
    socket.on('data', (data) => {
      received += data.toString()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    const [head = '', body = ''] = (await promise).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 400 /)
    expect(errorBody.parse(JSON.parse(body)).error.code).toBe('bad_request')
  })
})

test('characters that cannot be stored are refused with the name of their field', async () => {
  for (const [field, value] of Object.entries({ name: 'a\u0000b', address: 'a\u0000b', calendars: ['x', 'a\u0000'] })) {
    const answer = await server.ask('POST', path, { body: { ...site, [field]: value } })
    expect([answer.status, Object.keys(answer.error.fields)]).toEqual([400, [field]])
  }
  const half = await server.ask('POST', path, { body: '{"name":"x","timeZone":"UTC","calendars":["\\ud800"]}' })
  expect([half.status, Object.keys(half.error.fields)]).toEqual([400, ['calendars']])
  const whole = await server.ask('POST', path, { body: { ...site, name: 'Ærø 😀', calendars: ['😀'] } })
  expect(whole.item).toMatchObject({ name: 'Ærø 😀', calendars: ['😀'] })
})

test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
  'a field that every object inherits is refused by name like every unknown field: %s',
  async (name) => {
    const answer = await server.ask('POST', path, { body: { ...site, [name]: 1 } })
    expect([answer.status, Object.keys(answer.error.fields)]).toEqual([400, [name]])
    expect(answer.error.message).not.toContain('undefined')
  },
)

test.each(['text/xml', 'text/plain', 'application/x-www-form-urlencoded'])(
  'a body that is not JSON is refused by the name of its header: %s',
  async (type) => {
    const answer = await server.ask('POST', path, { body: JSON.stringify(site), headers: { 'content-type': type } })
    expect([answer.status, Object.keys(answer.error.fields)]).toEqual([400, ['content-type']])
  },
)

describe('design §2 parameters that a call does not take are refused by name', () => {
  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { name: 'Bergen' }],
    ['DELETE', '', undefined],
    ['POST', '/api/sites', site],
    ['POST', '/api/sites/export', { format: 'csv' }],
  ])('%s %s', async (method, address, body) => {
    const { item } = await server.ask('POST', path, { body: site })
    const own = `${path}/${item._id}`
    const answer = await server.ask(method, `${address || own}?fields=a&fields=b&unheard=1`, { body })
    expect([answer.status, Object.keys(answer.error.fields)]).toEqual([400, ['fields', 'unheard']])
    expect((await server.ask('GET', own)).item).toEqual(item)
  })
})

test.each([
  ['in a session', '/api/sites', server.headers, 200],
  // The email that this call needs is missing too.
  ['without a session', '/api/users/forgot', {}, 201],
])('of a query, at most 200 parameters are read and refused, %s', async (_who, address, headers, faults) => {
  const query = Array.from({ length: 900 }, (_, index) => `p${index}=${index}`).join('&')
  const answer = await send({
    method: 'GET',
    path: `${address}?${query}`,
    headers: { 'x-js-account': server.account, ...headers },
  })
  expect(answer.status).toBe(400)
  const { code, fields = {}, furtherFields = 0 } = errorBody.parse(answer.json).error
  expect([code, Object.keys(fields).length + furtherFields]).toEqual(['bad_request', faults])
})

test('a DELETE may declare JSON and have an empty body', async () => {
  const { item } = await server.ask('POST', path, { body: site })
  const answer = await server.ask('DELETE', `${path}/${item._id}`, { headers: { 'content-type': 'application/json' } })
  expect(answer.status).toBe(204)
})

test.each(['/api/users/me', '/api/sites', '/api/users/me/sessions', '/api/events/count', '/api/sites/7', '/api/no'])(
  '§2 no browser and no proxy stores the answers of calls (%s)',
  async (address) => {
    const { headers } = await server.ask('GET', address)
    expect(headers.get('cache-control')).toBe('no-store')
  },
)

test('§3 the runtime configuration is public and holds no secret', async () => {
  const answer = await send({ method: 'GET', path: '/config', headers: {} })
  expect(answer.status).toBe(200)
  expect(Object.keys(await server.client.configuration()).toSorted()).toEqual([
    'AllEventTypes',
    'AuditEventTypes',
    'EventTypes',
    'authenticationProvider',
    'brand',
    'cognitoTenants',
    'contact',
    'policyUpdated',
    'recertification',
    'version',
  ])
  // The types of events about passwords are public.
  expect(JSON.stringify(answer.json).replaceAll(/"administration\.\w+"/g, '')).not.toMatch(/postgres|password|secret/i)
})

test('health needs no session', async () => {
  const live = await send({ method: 'GET', path: '/health/live', headers: {} })
  const ready = await send({ method: 'GET', path: '/health/ready', headers: {} })
  expect(live.json).toEqual({ status: 'live' })
  expect(ready.json).toMatchObject({ status: 'ready' })
  // Controllers of other tests count too.
  expect(Object.keys(ready.json ?? {})).toContain('controllersWithFault')
})

/** Headers given as lists are sent one by one, which `fetch` would join. */
async function statusOf(headers: Record<string, string | string[]>, at = path) {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  plainRequest(`${server.url}${at}`, { headers }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
    .on('error', reject)
    .end()
  return promise
}

describe('a long body without a session', () => {
  const headers = { 'x-js-account': server.account, 'content-type': 'application/json' }

  test.each([
    ['of a call', '/api/sites', {}, [401, 'unauthenticated']],
    [
      'of a call, with a made-up session',
      '/api/sites',
      { cookie: `portcullis=${'A'.repeat(43)}` },
      [401, 'session_ended'],
    ],
    ['of a sign-in', '/api/auth/login', {}, [413, 'too_large']],
    ['where nothing is served', '/api/nothing', {}, [404, 'not_found']],
  ] as const)('is answered before it is sent (%s)', async (_, address, cookies, expected) => {
    const sent = plainRequest(`${server.url}${address}`, {
      method: 'POST',
      headers: { ...headers, ...cookies, 'content-length': 900_000 },
    })
    sent.on('error', () => {})
    sent.write('[')
    const { promise, resolve } = Promise.withResolvers<[number | undefined, string]>()
    sent.once('response', (response) => {
      response.setEncoding('utf8').once('data', (text: string) => resolve([response.statusCode, text]))
    })
    const [status, text] = await promise
    sent.destroy()
    expect([status, errorBody.parse(JSON.parse(text)).error.code]).toEqual(expected)
  })
})
