import { arbitraryOf, type JsonSchema } from '@portcullis/server/collections/test-arbitraries'
import fc from 'fast-check'
import { z } from 'zod'
import { request } from '../request.ts'
import { eachCase, Findings, type Fuzzing } from './fuzzing.ts'
import { mutationsOf, oddities } from './mutations.ts'
import { type Persona, personaMaker } from './persona.ts'

const schema = z.record(z.string(), z.unknown())
const operation = z.object({
  parameters: z
    .array(z.object({ in: z.string().optional(), name: z.string().default(''), schema: schema.default({}) }))
    .default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: schema.default({}) })) }).optional(),
})
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
})

type Case = { method: string; path: string; query: Record<string, unknown>; body: unknown; as: (typeof kinds)[number] }

const kinds = ['stranger', 'appUser', 'admin'] as const
const atOnce = 12

/** Bodies, paths and queries for every route of the OpenAPI document, valid and changed. */
export const fuzzedRequests: Fuzzing = {
  name: 'fuzzed requests to every route',
  sends:
    'bodies, ids and queries from the schemas of /api/openapi.json, valid and changed, as stranger, App user and administrator',
  share: 0.45,
  async run(estate, { cases, seed }) {
    const findings = new Findings()
    const { text } = await request({ url: estate.url, path: '/api/openapi.json' })
    const makers = personaMaker(estate)
    const personas = new Map<string, Persona>()
    try {
      await eachCase({ arbitrary: casesOf(JSON.parse(text)), cases, seed, atOnce }, async (each, line) => {
        const headers = each.as === 'stranger' ? { 'x-js-account': 'null' } : (await personaFor(each.as, line)).headers
        await attempt(each, headers)
      })
    } finally {
      await makers.close()
    }
    return findings.outcome()

    async function attempt(each: Case, headers: Record<string, string>) {
      const { method, path, query, body, as } = each
      const where = `${method} ${path.replaceAll(/\/[^/]*[^a-zA-Z/{}][^/]*/g, '/…').slice(0, 60)} as ${as}`
      try {
        const answer = await request({
          url: estate.url,
          method,
          path: path + queryText(query),
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        findings.judge(where, { answer, sent: { query, body } })
        // Its session has ended, or its account is gone.
        if (answer.status === 401 || /account_refused/.test(answer.text)) forget(headers)
      } catch (error) {
        findings.fault(
          where,
          `${error instanceof Error ? error.message : String(error)} after ${JSON.stringify({ query, body }).slice(0, 300)}`,
        )
      }
    }

    async function personaFor(as: 'appUser' | 'admin', line: number) {
      const key = `${as} ${line}`
      const persona = personas.get(key) ?? (await makers.make(as))
      personas.set(key, persona)
      return persona
    }

    function forget(headers: Record<string, string>) {
      for (const [key, persona] of personas) if (persona.headers === headers) personas.delete(key)
    }
  },
}

function casesOf(json: unknown): fc.Arbitrary<Case> {
  const { paths, components } = document.parse(json)
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => {
      const body = requestBody?.content['application/json']?.schema
      const queries = parameters.filter((each) => each.in === 'query')
      return fc.record({
        method: fc.constant(method.toUpperCase()),
        path: pathsOf(path),
        query: fc.record(
          Object.fromEntries(queries.map(({ name, schema: of }) => [name, validAndChanged(of, components.schemas)])),
          { requiredKeys: [] },
        ),
        body: body ? validAndChanged(body, components.schemas) : fc.constant(undefined),
        as: fc.constantFrom(...kinds),
      })
    }),
  )
  return fc.oneof(...routes)
}

function validAndChanged(of: JsonSchema, named: Readonly<Record<string, JsonSchema>>) {
  const valid = arbitraryOf(of, named)
  return fc.oneof(valid, mutationsOf(valid), { weight: 1, arbitrary: oddities })
}

function pathsOf(path: string) {
  const parts = path.split('/').map((part) => (part.startsWith('{') ? parameter : fc.constant(part)))
  return fc.tuple(...parts).map((texts) => texts.join('/'))
}

const parameter = fc
  .oneof(
    fc.uuid({ version: 7 }),
    fc.constantFrom('me', 'null', '0', '%00', '..', '%E0%A4%A', '1'.repeat(199), '1'.repeat(300)),
    fc.string({ minLength: 1, maxLength: 40 }),
  )
  .map((text) => (/^[%.]/.test(text) ? text : encodeURIComponent(text.toWellFormed())))

export function queryText(query: Readonly<Record<string, unknown>>) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined)
      search.append(name, typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
