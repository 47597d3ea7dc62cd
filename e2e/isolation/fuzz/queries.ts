import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { operators } from '@portcullis/contract/list-query'
import fc from 'fast-check'
import { request } from '../request.ts'
import { eachCase, Findings, type Fuzzing } from './fuzzing.ts'
import { mutationsOf, oddities } from './mutations.ts'
import { queryText } from './requests.ts'

const verbs = ['', '/count', '/aggregate'] as const
const operand = fc.oneof(
  oddities,
  fc.uuid({ version: 7 }),
  fc.constantFrom(
    '2026-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.9999999999+23:59',
    'granted',
    '%',
    '\\',
  ),
  fc.array(oddities, { maxLength: 5 }),
)

/** Filters, sorts, searches, fields, pages and cursors of every collection, valid and changed. */
export const fuzzedQueries: Fuzzing = {
  name: 'fuzzed filters, sorts and queries',
  sends: 'GET of lists, counts and totals of every collection, as the administrator of Ravine',
  share: 0.25,
  async run({ url, ravine }, { cases, seed }) {
    const findings = new Findings()
    const headers = { cookie: ravine.admin.cookie, 'x-js-account': ravine.ref }
    const all = Object.values<Collection>(collections)
    const arbitrary = fc.oneof(...all.map(requestsFor))
    await eachCase({ arbitrary, cases, seed, atOnce: 12 }, async ({ path, query }) => {
      try {
        const answer = await request({ url, path: path + queryText(query), headers })
        findings.judge(path, { answer, sent: query })
      } catch (error) {
        findings.fault(
          path,
          `${error instanceof Error ? error.message : String(error)} after ${JSON.stringify(query).slice(0, 300)}`,
        )
      }
    })
    return findings.outcome()
  },
}

function requestsFor(collection: Collection) {
  const field = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...collection.queryable) },
    { weight: 1, arbitrary: fc.constantFrom('account', '__proto__', 'constructor', 'no.field', '') },
  )
  const filter = filtersOver(field)
  const sort = fc.record({ prop: field, dir: fc.constantFrom('asc', 'desc') }, { requiredKeys: ['prop'] })
  const parameters = {
    filter: fc.oneof(filter, mutationsOf(filter)),
    sort: fc.oneof(sort, mutationsOf(sort)),
    search: fc.string({ maxLength: 220, unit: fc.constantFrom('a', 'é', '%', '_', '\\', "'", '漢', ' ') }),
    fields: fc.array(field, { maxLength: 6 }).map((fields) => fields.join(',')),
    page: fc.constantFrom('0', '1', '1000000', '-1', 'x', '1e9'),
    size: fc.constantFrom('1', '20', '500', '501', '0', ''),
    after: fc.oneof(
      fc.base64String({ maxLength: 200 }),
      fc.json().map((text) => Buffer.from(text.toWellFormed()).toString('base64url')),
    ),
    by: fc.oneof(field, oddities),
    unknown: oddities,
  }
  // Few at a time: with all of them, hardly a request would be valid.
  const named = fc.subarray(Object.keys(parameters), { maxLength: 3 })
  return fc.record({
    path: fc.constantFrom(...verbs).map((verb) => `/api/${collection.name}${verb}`),
    query: fc
      .tuple(named, fc.record(parameters))
      .map(([names, all]) => Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))),
  })
}

function filtersOver(field: fc.Arbitrary<string>) {
  const comparison = fc.oneof(
    fc.dictionary(field, operand, { maxKeys: 3 }),
    fc.tuple(field, fc.constantFrom(...operators), operand).map(([name, op, value]) => ({ [name]: { [op]: value } })),
    fc.tuple(field, fc.boolean()).map(([name, exists]) => ({ [name]: { exists } })),
    field.map((name) => ({ [name]: null })),
  )
  return fc.letrec<{ filter: unknown }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      comparison,
      fc.array(tie('filter'), { maxLength: 4 }).map((or) => ({ or })),
      fc.array(tie('filter'), { maxLength: 4 }).map((and) => ({ and })),
      tie('filter').map((not) => ({ not })),
    ),
  })).filter
}
