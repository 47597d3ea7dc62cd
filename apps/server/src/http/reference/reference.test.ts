import { type Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { errorStatus } from '@portcullis/contract/errors'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { minimalItem, makeItem, completeItem, written } from '../../collections/test-items.ts'
import { startTestServer } from '../../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const schema = z.record(z.string(), z.unknown())
const content = z.record(z.string(), z.strictObject({ schema }))
const reference = z.strictObject({ $ref: z.string() })
const parameter = z.union([
  reference,
  z.strictObject({
    name: z.string(),
    in: z.enum(['path', 'query', 'header']),
    required: z.boolean(),
    description: z.string().optional(),
    schema: schema.optional(),
    content: content.optional(),
    example: z.unknown().optional(),
  }),
])
const operation = z.strictObject({
  operationId: z.string(),
  tags: z.array(z.string()).length(1),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.never()).optional(),
  parameters: z.array(parameter),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(
    z.string().regex(/^[1-5]\d\d$/),
    z.strictObject({
      description: z.string().min(1),
      headers: z.record(z.string(), reference).optional(),
      content: content.optional(),
    }),
  ),
})
/** The part of OpenAPI 3.1 that the document uses. */
const openApi = z.strictObject({
  openapi: z.literal('3.1.0'),
  jsonSchemaDialect: z.literal('https://json-schema.org/draft/2020-12/schema'),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.string() })),
  security: z.array(z.record(z.string(), z.array(z.never()))),
  tags: z.array(z.strictObject({ name: z.string() })),
  paths: z.record(
    z.string().startsWith('/'),
    z.record(z.enum(['get', 'post', 'patch', 'put', 'delete']), operation.optional()),
  ),
  components: z.strictObject({
    securitySchemes: z.record(
      z.string(),
      z.strictObject({ type: z.literal('apiKey'), in: z.literal('cookie'), name: z.string(), description: z.string() }),
    ),
    parameters: z.record(z.string(), parameter),
    headers: z.record(z.string(), z.strictObject({ description: z.string(), schema })),
    schemas: z.record(z.string(), schema),
  }),
})

const got = await fetch(`${server.url}/api/openapi.json`)
const json: unknown = await got.json()
const api = openApi.parse(json)
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.values(methods).flatMap((each) => (each ? [{ path, ...each }] : [])),
)

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema(schema.parse({ $id: 'api', ...schema.parse(json) }))

describe('the document', () => {
  test('needs no session', () => {
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  })

  test('has schemas of JSON Schema 2020-12 only', () => {
    const parameters = operations.flatMap((each) => each.parameters)
    const inline = parameters.flatMap((each) => ('schema' in each && each.schema ? [each.schema] : []))
    const contents = operations.flatMap(({ parameters, requestBody, responses }) => [
      ...parameters.flatMap((each) => ('content' in each && each.content ? [each.content] : [])),
      ...(requestBody ? [requestBody.content] : []),
      ...Object.values(responses).flatMap((answer) => (answer.content ? [answer.content] : [])),
    ])
    const within = contents.flatMap((each) => Object.values(each).map((media) => media.schema))
    const all = [...Object.values(api.components.schemas), ...inline, ...within]
    expect(all.length).toBeGreaterThan(100)
    for (const each of all) expect(ajv.validateSchema(each), JSON.stringify(ajv.errors)).toBe(true)
  })

  test('has no reference to missing content', () => {
    const refs = [...JSON.stringify(json).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target = '']) => target)
    expect(refs.length).toBeGreaterThan(100)
    for (const target of new Set(refs)) expect(at(target), target).toBeDefined()
  })

  test('names each call once, and each parameter of its path', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, parameters } of operations) {
      const inPath = parameters.flatMap((each) => ('in' in each && each.in === 'path' ? [each.name] : []))
      expect(inPath, path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    }
  })

  test('lists for each status the codes that are sent with it', () => {
    for (const { operationId, responses } of operations) {
      for (const [status, { description }] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        const statuses = description
          .split(', ')
          .map((code) => z.record(z.string(), z.number()).parse(errorStatus)[code])
        expect(new Set(statuses), operationId).toEqual(new Set([Number(status)]))
      }
    }
  })

  test('has a schema with all fields for every collection', () => {
    for (const { entity, entitySchema } of Object.values<Collection>(collections)) {
      const name = `${entity.charAt(0).toUpperCase()}${entity.slice(1)}`
      expect(Object.keys(schema.parse(api.components.schemas[name]?.['properties']))).toEqual(
        Object.keys(entitySchema.shape),
      )
    }
  })
})

describe.each(written)('%s', (collection) => {
  const { entity } = collections[collection]
  const name = `${entity.charAt(0).toUpperCase()}${entity.slice(1)}`

  test('the server accepts and answers what the document describes', async () => {
    const site = (await makeItem({ ask: server.ask, collection: 'sites' }))._id
    expect(faults(`${name}Create`, minimalItem(collection, { site }))).toBe('none')
    const whole = await completeItem({ ask: server.ask, collection })
    expect(faults(`${name}Create`, whole)).toBe('none')
    const created = await server.ask('POST', `/api/${collection}`, { body: whole })
    expect(faults(name, created.json)).toBe('none')
    expect(faults(`${name}Page`, (await server.ask('GET', `/api/${collection}`)).json)).toBe('none')
    expect(faults('Counted', (await server.ask('GET', `/api/${collection}/count`)).json)).toBe('none')
  })
})

test('the answers of calls and refusals match the document', async () => {
  expect(faults('Me', (await server.ask('GET', '/api/users/me')).json)).toBe('none')
  expect(faults('Configuration', (await server.ask('GET', '/config')).json)).toBe('none')
  const tree = await server.ask('GET', '/api/accounts/hierarchy')
  for (const node of z.array(z.unknown()).min(1).parse(tree.json)) expect(faults('AccountNode', node)).toBe('none')
  const { item, headers } = await server.ask('POST', '/api/contacts', { body: { name: 'A guard' } })
  const asOf = await server.ask('GET', `/api/auditLogs/asOf/contacts/${item._id}?at=2999-01-01T00:00:00Z`)
  expect([asOf.status, faults('AsOf', asOf.json)]).toEqual([200, 'none'])
  const undone = await server.ask('POST', `/api/auditLogs/${headers.get('x-history-id')}/undo`)
  expect([undone.status, faults('Undone', undone.json)]).toEqual([200, 'none'])
  expect(faults('AuditLogPage', (await server.ask('GET', '/api/auditLogs')).json)).toBe('none')
  expect(faults('Error', (await server.ask('POST', '/api/sites', { body: {} })).json)).toBe('none')
  expect(faults('Error', (await server.ask('GET', '/api/nowhere')).json)).toBe('none')
  const by = JSON.stringify(['name'])
  expect(faults('AggregateBy', JSON.parse(by))).toBe('none')
  expect(
    faults('Aggregated', (await server.ask('GET', `/api/sites/aggregate?by=${encodeURIComponent(by)}`)).json),
  ).toBe('none')
})

describe('the page', () => {
  test('loads from our own origin only, under the policy of the console', async () => {
    const page = await fetch(`${server.url}/api/docs`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    const files = [...(await page.text()).matchAll(/(?:src|href)="([^#"][^"]*)"/g)].map(([, file = '']) => file)
    expect(files).toEqual(['/api/docs/reference.mjs', '/api/docs/scalar.js', '/api/openapi.json'])
    for (const file of files) {
      const { status, headers } = await fetch(`${server.url}${file}`)
      expect([file, status, headers.get('content-security-policy')]).toEqual([
        file,
        200,
        page.headers.get('content-security-policy'),
      ])
    }
  })

  test('has a script that is sent compressed, and only when it has changed', async () => {
    const path = `${server.url}/api/docs/scalar.js`
    const { headers } = await fetch(path)
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['gzip', 'accept-encoding'])
    const again = await fetch(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    const plain = await fetch(path, { headers: { 'accept-encoding': 'identity' } })
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null])
  })

  test('turns off everything that would send requests to another server', async () => {
    const settings = await (await fetch(`${server.url}/api/docs/reference.mjs`)).text()
    for (const setting of ['withDefaultFonts: false', 'telemetry: false', 'agent: { disabled: true }']) {
      expect(settings).toContain(setting)
    }
    expect(settings).not.toMatch(/https?:\/\//)
  })

  test('has no files but its own', async () => {
    for (const file of ['serve-reference.ts', '..%2Fcreate-app.ts', 'reference.html']) {
      const { status, error } = await server.ask('GET', `/api/docs/${file}`)
      expect([status, error.code], file).toEqual([404, 'not_found'])
    }
  })
})

/** The content of the document at a reference such as `#/components/schemas/Door`. */
function at(target: string) {
  const [, ...names] = target.split('/')
  return names.reduce<unknown>((node, name) => schema.parse(node)[name], json)
}

/** The faults of a value, by a schema of the document. */
function faults(name: string, value: unknown) {
  const validate = ajv.getSchema(`api#/components/schemas/${name}`)
  if (!validate) return `there is no schema ${name}`
  return validate(value) ? 'none' : ajv.errorsText(validate.errors)
}

test('the document is compressed for clients that take it, and a tenth of its size', async () => {
  const ask = (encoding: string) =>
    fetch(`${server.url}/api/openapi.json`, { headers: { 'accept-encoding': encoding } })
  const [gzipped, plain] = await Promise.all([ask('gzip'), ask('identity')])
  expect([gzipped, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', null])
  const lengths = [gzipped, plain].map(({ headers }) => Number(headers.get('content-length')))
  expect(lengths[0]).toBeLessThan((lengths[1] ?? 0) / 10)
  expect(await gzipped.json()).toEqual(await plain.json())
})
