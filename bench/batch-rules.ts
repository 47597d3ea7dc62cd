import type { EntityOf } from '@portcullis/contract/collection'
import { rules } from '@portcullis/contract/collections/rules'
import { maxBatchRows } from '@portcullis/contract/calls/batch-rules'
import type pg from 'pg'
import { databaseMs, processMs } from './processor-time.ts'
import { startFilledServer } from './filled-server.ts'
import { median } from './median.ts'

/**
 * Measures `batchUpdate` with as many rules as it takes: created, changed and deleted, all or none. Beside it, in the same run, the time
 * that PostgreSQL takes to insert as many rows one after another in one transaction. Server and client share one process.
 *   node bench/batch-rules.ts [people] [units] [rounds]
 */
const [people = 75_000, units = 250, rounds = 5] = process.argv.slice(2).map(Number)
/** The goal for 1,000 rules, for as many as one request takes. */
const goalMs = (2_000 * maxBatchRows) / 1_000

const stops: (() => Promise<unknown>)[] = []
try {
  await run()
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function run() {
  const { owner, client } = await startFilledServer({ people, units, stops })
  const { items } = await client.of(rules).list({ size: 100 })
  const bodies = Array.from({ length: maxBatchRows }, (_, at) => copyOf(items[at % items.length], at))
  const measured: Record<'bare' | 'create' | 'change' | 'delete' | 'server' | 'database', number[]> = {
    bare: [],
    create: [],
    change: [],
    delete: [],
    server: [],
    database: [],
  }
  for (let round = 0; round < rounds; round += 1) {
    measured.bare.push(await timed(() => insertBare(owner)))
    const before = { server: await processMs(process.pid), database: await databaseMs(owner) }
    let ids: string[] = []
    measured.create.push(
      await timed(async () => {
        const { saved } = await client.rules.batch({ save: bodies })
        ids = saved.flatMap(({ _id }) => _id ?? [])
      }),
    )
    measured.server.push((await processMs(process.pid)) - before.server)
    measured.database.push((await databaseMs(owner)) - before.database)
    measured.change.push(await timed(() => client.rules.batch({ save: ids.map((_id) => ({ _id, enabled: false })) })))
    measured.delete.push(await timed(() => client.rules.batch({ delete: ids })))
  }
  const bareMs = median(measured.bare)
  console.log(
    `\n${maxBatchRows} rules in one request, ${people} people, ${units} controllers; medians of ${rounds} rounds`,
  )
  for (const kind of ['create', 'change', 'delete'] as const) {
    const ms = median(measured[kind])
    const verdict = ms <= goalMs ? 'met' : 'MISSED'
    console.log(
      `  ${kind}: ${ms.toFixed(0)} ms, ${(ms / bareMs).toFixed(1)} times ${bareMs.toFixed(0)} ms for bare rows (goal ${goalMs} ms: ${verdict})`,
    )
  }
  const [server, database] = [median(measured.server), median(measured.database)]
  console.log(
    `  processor time to create them: ${server.toFixed(0)} ms here, ${database.toFixed(0)} ms in the database`,
  )
}

function copyOf(rule: EntityOf<typeof rules> | undefined, at: number) {
  if (!rule) throw new Error('the policy has no rules')
  const { effect, who, where } = rule
  return { name: `Batch ${at}`, effect, who, where }
}

async function timed(work: () => Promise<unknown>) {
  const since = performance.now()
  await work()
  return performance.now() - since
}

async function insertBare(owner: pg.Client) {
  await owner.query('create table if not exists bare (id int, name text)')
  await owner.query('begin')
  for (let row = 0; row < maxBatchRows; row += 1)
    await owner.query({ name: 'bare', text: 'insert into bare values ($1, $2)', values: [row, `Batch ${row}`] })
  await owner.query('commit')
}
