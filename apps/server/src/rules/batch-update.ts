import { type BatchRow, batchRules } from '@portcullis/contract/calls/batch-rules'
import type { InputOf } from '@portcullis/contract/call'
import { rules } from '@portcullis/contract/collections/rules'
import { problem, type Problem } from '@portcullis/contract/errors/problem'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { creation } from '../collections/create.ts'
import { patching } from '../collections/patch.ts'
import { removal } from '../collections/remove.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { lockTree } from '../history/lock-tree.ts'
import { errorOf, toAppError } from '../http/error-answers.ts'
import type { ServeCall } from '../http/serve-call.ts'
import type { PreviewChange } from '../preview/preview-change.ts'

type BatchCallsOptions = Pick<ServeCall, 'serveProvenCall'> & { database: Database; previewChange: PreviewChange }

/** Saves and deletes many rules, all of them or row by row (specification §7, `batchUpdate`). */
export function registerBatchRules(
  app: FastifyInstance,
  { database, serveProvenCall, previewChange }: BatchCallsOptions,
) {
  serveProvenCall(app, batchRules, async ({ access, query: { preview }, input }) => {
    const rows = await prepare(access, input)
    const write = (tx: Transaction) => writeAll(tx, { access, rows })
    const together = <T>(work: () => Promise<T>) => allOrNone(work, { database, access, rows })
    if (preview !== undefined) return together(() => previewChange(access, { write, withAccess: preview === 'true' }))
    const results = input.rowByRow
      ? await writeEach({ database, access, rows })
      : await together(() => workAs(database, access, write))
    return { deleted: resultsOf('delete', rows, results), saved: resultsOf('save', rows, results) }
  })
}

type Written = { _id: string; entry: string }
type Work = (tx: Transaction) => Promise<Written>
/** `name`: as errors call it, such as `save.3`. */
type Row = { part: 'delete' | 'save'; name: string; prepared: Work | AppError }

/** Checks each row as its own call would. */
async function prepare(access: Access, input: InputOf<typeof batchRules>): Promise<Row[]> {
  const as = { collection: rules, hooks: {}, access }
  const { adhoc, scheduleOptions } = input
  const shared = { ...(adhoc === undefined ? {} : { adhoc }), ...scheduleOptions }
  const seen = new Set<string>()
  const rowsOf: Row[] = []
  for (const [at, id] of input.delete.entries()) {
    const remove = removal({ ...as, id })
    const work = async (tx: Transaction) => ({ _id: id, entry: await remove(tx) })
    rowsOf.push({ part: 'delete', name: `delete.${at}`, prepared: isAgain(id) ? listedTwice() : work })
  }
  for (const [at, { _id, ...fields }] of input.save.entries()) {
    const body = { ...shared, ...fields }
    const change = () => (_id === undefined ? creation({ ...as, body }) : patching({ ...as, id: _id, body }))
    const prepared = isAgain(_id) ? listedTwice() : await change().then(recorded, toAppError)
    rowsOf.push({ part: 'save', name: `save.${at}`, prepared })
  }
  return rowsOf

  function isAgain(id: string | undefined) {
    if (id === undefined) return false
    const isAgain = seen.has(id)
    seen.add(id)
    return isAgain
  }
}

function recorded(change: Awaited<ReturnType<typeof patching>>): Work {
  return async (tx) => {
    const { item, entry } = await change(tx)
    return { _id: z.uuid().parse(item['_id']), entry }
  }
}

function listedTwice() {
  return new AppError('bad_request', {}, { fields: { _id: problem('listed_twice') } })
}

type Batch = { database: Database; access: Access; rows: readonly Row[] }

/** If a row is refused, the error names every such row. */
async function allOrNone<T>(work: () => Promise<T>, { database, access, rows }: Batch) {
  refuse(rows)
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    refuse(await tryEach({ database, access, rows }))
    throw error
  }
}

/** The statements of this many rows are sent together. */
const rowsAtOnce = 20

async function writeAll(tx: Transaction, { access, rows }: Omit<Batch, 'database'>) {
  lockTree(tx, { root: access.account.root, turn: 'alone' })
  const written: Written[] = []
  for (const part of ['delete', 'save'] as const) {
    const own = rows.filter((row) => row.part === part)
    for (let at = 0; at < own.length; at += rowsAtOnce)
      written.push(...(await Promise.all(own.slice(at, at + rowsAtOnce).map((row) => write(tx, row)))))
  }
  return written
}

/** Finds each row that is refused after those before it; everything is taken back. */
async function tryEach({ database, access, rows }: Batch): Promise<Row[]> {
  const tried: Row[] = []
  const takenBack = new Error('These rows are only tried.')
  await workAs(database, access, async (tx) => {
    lockTree(tx, { root: access.account.root, turn: 'alone' })
    for (const row of rows) {
      tx.send(sql`savepoint before_row`)
      const result = await write(tx, row).catch(toAppError)
      if (result instanceof AppError) tx.send(sql`rollback to savepoint before_row`)
      tried.push(result instanceof AppError ? { ...row, prepared: result } : row)
    }
    throw takenBack
  }).catch((error: unknown) => {
    if (error !== takenBack) throw error
  })
  return tried
}

async function write(tx: Transaction, { prepared }: Row) {
  if (prepared instanceof AppError) throw prepared
  return prepared(tx)
}

/** Each in a transaction of its own. */
async function writeEach({ database, access, rows }: Batch) {
  const results: (Written | AppError)[] = []
  for (const { prepared } of rows)
    results.push(prepared instanceof AppError ? prepared : await workAs(database, access, prepared).catch(toAppError))
  return results
}

/** The maximum number of problems that are named. */
const maxNamed = 20

/** Refuses the whole if a row is refused. */
function refuse(rows: readonly Row[]) {
  const problems = rows.flatMap(({ name, prepared }) =>
    prepared instanceof AppError ? problemsOf(name, prepared) : [],
  )
  if (problems.length === 0) return
  const furtherFields = Math.max(0, problems.length - maxNamed)
  throw new AppError('rows_refused', {}, { fields: Object.fromEntries(problems.slice(0, maxNamed)), furtherFields })
}

function problemsOf(name: string, { code, parameters, fieldErrors }: AppError): [string, Problem][] {
  if (!fieldErrors) return [[name, { code, parameters }]]
  return Object.entries(fieldErrors).map(([field, fault]) => [`${name}.${field}`, fault])
}

function resultsOf(part: Row['part'], rows: readonly Row[], results: readonly (Written | AppError)[]): BatchRow[] {
  return results.flatMap((result, at) => (rows[at]?.part === part ? [answerOf(result)] : []))
}

function answerOf(result: Written | AppError): BatchRow {
  return result instanceof AppError ? { _id: null, entry: null, error: errorOf(result) } : { ...result, error: null }
}
