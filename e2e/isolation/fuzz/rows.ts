import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { Database } from '@portcullis/server/database/database'
import fc from 'fast-check'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import { request } from '../request.ts'
import { eachCase, Findings, type Fuzzing } from './fuzzing.ts'
import { oddities } from './mutations.ts'
import { personaMaker } from './persona.ts'

const columnRow = z.object({ table: z.string(), column: z.string(), type: z.string() })
const item = z.object({ _id: z.uuid() })
/** One item of each of these collections; their tables are named after their entities. */
const least = {
  sites: { name: 'Site', timeZone: 'UTC' },
  doors: { name: 'Door' },
  units: { name: 'Unit', serial: 'U-1' },
  credentials: { kind: 'card', number: '4713' },
  rules: { name: 'Rule', effect: 'allow', who: [], where: [] },
  schedules: { name: 'Schedule' },
  holidays: { name: 'Holiday', kind: 'public', dates: [{ from: '2026-12-25', until: '2026-12-26', recurring: true }] },
  contacts: { name: 'Contact' },
}

/** Values of single columns in rows, which no call has checked. */
export const fuzzedRows: Fuzzing = {
  name: 'fuzzed stored rows',
  sends: 'random values in columns by SQL, each read, listed and patched over the API, and compiled for controllers',
  share: 0.1,
  async run(estate, { cases, seed }) {
    const { url, logins } = estate
    const findings = new Findings()
    const database = new Database({ logins, connections: 4 })
    const makers = personaMaker(estate)
    try {
      const { headers } = await makers.make('admin')
      const items = await makeItems({ url, headers })
      const columns = await columnsOf(database, items)
      const arbitrary = fc.record({ column: fc.constantFrom(...columns), value: oddities })
      await eachCase(
        { arbitrary, cases, seed, atOnce: 4 },
        async ({ column: { table, column, type, name, id }, value }) => {
          const text = type.startsWith('json') ? JSON.stringify(value) : textOf(value)
          const isStored = await database
            .asSystem((tx) =>
              tx.run(
                sql`update ${raw(table)} set ${raw(column)} = ${text}::text::${raw(type)} where ${raw(`${table}_id`)} = ${id}`,
              ),
            )
            .then(
              () => true,
              () => false,
            )
          findings.counts.add(isStored ? 'stored' : 'refused by the database')
          if (!isStored) return
          const path = `/api/${name}`
          const body = name === 'credentials' ? { status: 'active' } : { name: 'Patched' }
          for (const call of [{ path: `${path}/${id}` }, { path }, { method: 'PATCH', path: `${path}/${id}`, body }]) {
            const answer = await request({ url, headers, ...call })
            findings.judge(`${call.method ?? 'GET'} ${path} with ${column}`, { answer, sent: text })
          }
        },
      )
    } finally {
      await makers.close()
      await database.close()
    }
    return findings.outcome()
  },
}

type Made = { name: string; table: string; id: string }

async function makeItems({ url, headers }: { url: string; headers: Record<string, string> }) {
  const made: Made[] = []
  for (const [name, fields] of Object.entries(least)) {
    const site = made.find((each) => each.name === 'sites')?.id
    const body = name === 'doors' ? { ...fields, site } : fields
    const answer = await request({ url, method: 'POST', path: `/api/${name}`, headers, body })
    if (answer.status !== 201) throw new Error(`POST /api/${name}: ${answer.text}`)
    const { _id: id } = item.parse(JSON.parse(answer.text))
    const collection = Object.values<Collection>(collections).find((each) => each.name === name)
    made.push({ name, table: collection?.entity ?? '', id })
  }
  return made
}

/** Every column of their tables but the keys. */
async function columnsOf(database: Database, made: readonly Made[]) {
  const tables = made.map(({ table }) => table)
  const columns = await database.asSystem((tx) =>
    tx.rows(
      columnRow,
      sql`select table_name as "table", column_name as "column", udt_name as type from information_schema.columns
           where table_name = any(${tables}::text[]) and is_generated = 'NEVER' and is_updatable = 'YES'
             and column_name <> table_name || '_id' and column_name <> table_name || '_account'
           order by 1, 2`,
    ),
  )
  return columns.flatMap((column) => {
    const owner = made.find(({ table }) => table === column.table)
    return owner ? [{ ...column, ...owner }] : []
  })
}

function textOf(value: unknown) {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
