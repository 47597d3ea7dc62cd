import { randomBytes } from 'node:crypto'
import { hyperRules, rulesOfRole } from '@portcullis/contract/abilities'
import Fastify from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { registerCollections } from '../collections/routes.ts'
import { makeRunExport } from '../exports/run-export.ts'
import { answerErrors } from '../http/error-answers.ts'
import { credentialNumbersFrom } from '../numbers/credential-numbers.ts'
import { makePreviewChange } from '../preview/preview-change.ts'
import { startTestServer } from '../test-server.ts'
import { credentialHooks } from './credentials.ts'

const server = await startTestServer()
const key = await server.keyOf(server.account)
const hyperUser = {
  person: { _id: server.userId, name: 'Ann', hyper: true },
  account: { _id: uuidv7(), key, ref: server.account, name: 'Main', root: key, defaultTimeZone: 'UTC' },
  assumed: null,
  role: null,
  inherited: false,
  rules: hyperRules,
  subtree: [key],
  covered: [key],
  reads: [key],
  requestId: uuidv7(),
  freshUntil: null,
}
const appUser = { ...hyperUser, rules: rulesOfRole('appUser') }

/** The calls of collections for a user with these rights, and the numbers that they hash. */
async function startFor(access: typeof hyperUser) {
  const [app, hashed] = [Fastify(), new Array<string>()]
  const numbers = credentialNumbersFrom(randomBytes(32))
  const hashOfGiven = (number: string) => {
    hashed.push(number)
    return numbers.hashOfGiven(number)
  }
  answerErrors(app)
  registerCollections(app, {
    database: server.database,
    accessOf: async () => access,
    answering: (_request, work) => work(access),
    entering: (_request, work) => work(access),
    runExport: makeRunExport(app),
    hooksByCollection: { credentials: credentialHooks({ ...numbers, hashOfGiven }) },
    previewChange: makePreviewChange(server),
  })
  afterAll(() => app.close())
  const get = (path: string) => (filter: object) =>
    app.inject({ url: `/api/credentials${path}`, query: { filter: JSON.stringify(filter) } })
  const calls = {
    list: get(''),
    count: get('/count'),
    aggregate: get(`/aggregate?by=${encodeURIComponent('["kind"]')}`),
    export: (filter: object) =>
      app.inject({ method: 'POST', url: '/api/credentials/export', body: { format: 'csv', filter } }),
  }
  const create = (body: object) => app.inject({ method: 'POST', url: '/api/credentials', body })
  return { calls, create, hashed }
}

afterAll(server.stop)
const verbs = ['list', 'count', 'aggregate', 'export'] as const
const many = { number: { in: Array.from({ length: 49_000 }, (_, index) => `N-${index}`) } }

describe.each(verbs)('%s', (verb) => {
  test('a user without the right gets a 403 for 49,000 numbers, and none is hashed', async () => {
    const { calls, hashed } = await startFor(appUser)
    expect((await calls[verb](many)).statusCode).toBe(403)
    expect(hashed).toEqual([])
  })

  test('a user with the right gets a 400 for 49,000 numbers, and none is hashed', async () => {
    const { calls, hashed } = await startFor(hyperUser)
    expect((await calls[verb](many)).statusCode).toBe(400)
    expect(hashed).toEqual([])
  })

  test('a number is hashed once, however often a filter contains it', async () => {
    const { calls, create, hashed } = await startFor(hyperUser)
    expect((await create({ kind: 'qr', number: 'A' })).statusCode).toBe(201)
    hashed.length = 0
    const filter = { or: [{ number: 'A' }, { not: { number: { in: ['A', 'B'] } } }] }
    expect((await calls[verb](filter)).statusCode).toBe(200)
    expect(hashed).toEqual(['A', 'B'])
  })
})

test.each(['', '/count', '/aggregate'])('a filter of 7,000 levels in the URL gets a 400: %s', async (path) => {
  const filter = `${'{"not":'.repeat(7_000)}{}${'}'.repeat(7_000)}`
  const query = new URLSearchParams({ filter, ...(path === '/aggregate' ? { by: '["kind"]' } : {}) })
  expect((await server.ask('GET', `/api/credentials${path}?${query.toString()}`)).status).toBe(400)
})
