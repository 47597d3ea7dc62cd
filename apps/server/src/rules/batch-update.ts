import { type BatchRow, batchRules } from '@portcullis/contract/calls/batch-rules'
import type { InputOf } from '@portcullis/contract/call'
import { rules } from '@portcullis/contract/collections/rules'
import { problem, type Problem } from '@portcullis/contract/errors/problem'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { parseCreation } from '../collections/create.ts'
import { parsePatch } from '../collections/patch.ts'
import { bulkWrites, examinePlans, type Plan, writePlans } from '../collections/write-many.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { errorOf, toAppError } from '../http/error-answers.ts'
import type { ServeCall } from '../http/serve-call.ts'
import type { PreviewChange } from '../preview/preview-change.ts'

type BatchCallsOptions = Pick<ServeCall, 'serveProvenCall'> & { database: Database; previewChange: PreviewChange }

/** Saves and deletes many rules, all of them or row by row (specification §7, `batchUpdate`). */
export function registerBatchRules(
  app: FastifyInstance,
  { database, serveProvenCall, previewChange }: BatchCallsOptions,
) {
  serveProvenCall(app, batchRules, async ({ request, access, query: { preview }, input }) => {
    demandFewSubjects(input)
    const rows = await prepare(access, input)
    const write = (tx: Transaction) => writeAll(tx, { access, rows })
    if (preview !== undefined) return previewChange(access, { write, withAccess: preview === 'true' })
    const results = await bulkWrites.take(`${access.account.root}`, () =>
      input.rowByRow ? writeEach(database, { access, rows, log: request.log }) : workAs(database, access, write),
    )
    return { deleted: resultsOf('delete', rows, results), saved: resultsOf('save', rows, results) }
  })
}

/** Users, groups and doors in all rows: storing one takes about 0.05 ms. */
const maxSubjects = 10_000

function demandFewSubjects({ save }: InputOf<typeof batchRules>) {
  const lists = save.flatMap(({ who, where }) => [who, where].filter(Array.isArray))
  if (lists.reduce((sum, { length }) => sum + length, 0) <= maxSubjects) return
  throw new AppError('bad_request', {}, { fields: { save: problem('too_many_entries', { maximum: maxSubjects }) } })
}

type Written = { _id: string; entry: string }
/** `name`: as errors call it, such as `save.3`. */
type Row = { part: 'save' | 'delete'; name: string; plan: Plan | AppError }

/** Checks each row as its own call would. */
async function prepare(access: Access, input: InputOf<typeof batchRules>): Promise<Row[]> {
  const shared = { ...(input.adhoc === undefined ? {} : { adhoc: input.adhoc }), ...input.scheduleOptions }
  const seen = new Set<string>()
  const rows: Row[] = []
  for (const [at, { _id, ...fields }] of input.save.entries()) {
    const plan = isAgain(_id) ? listedTwice() : await planOf(access, { _id, body: { ...shared, ...fields } })
    rows.push({ part: 'save', name: `save.${at}`, plan })
  }
  for (const [at, given] of input.delete.entries()) {
    const { _id: id, version: expected } = typeof given === 'string' ? { _id: given } : given
    const plan: Row['plan'] = isAgain(id) ? listedTwice() : { action: 'delete', id, expected }
    rows.push({ part: 'delete', name: `delete.${at}`, plan })
  }
  return rows

  function isAgain(id: string | undefined) {
    const isKnown = id !== undefined && seen.has(id)
    if (id !== undefined) seen.add(id)
    return isKnown
  }
}

async function planOf(access: Access, { _id, body }: { _id: string | undefined; body: object }) {
  const request = { collection: rules, access, body }
  const plan =
    _id === undefined
      ? parseCreation(request).then(({ item }): Plan => ({ action: 'create', id: uuidv7(), item }))
      : parsePatch(request).then((parsed): Plan => ({ action: 'patch', id: _id, ...parsed }))
  return plan.catch(refusalOrThrow)
}

function listedTwice() {
  return new AppError('bad_request', {}, { fields: { _id: problem('listed_twice') } })
}

type Batch = { access: Access; rows: readonly Row[] }

/** The maximum number of problems that are named. */
const maxNamed = 20

/** In one transaction, which fails if a row is refused: the error names such rows. */
async function writeAll(tx: Transaction, batch: Batch) {
  const { written, refusals } = await write(tx, batch)
  if (!written) throw refusalOf(batch.rows, refusals)
  return written
}

/** Writes all rows, or none if one is refused. */
async function write(tx: Transaction, { access, rows }: Batch) {
  const plans = rows.flatMap(({ plan }) => (plan instanceof AppError ? [] : [plan]))
  const examined = await examinePlans(tx, { collection: rules, access, plans })
  access.signal?.throwIfAborted()
  const found = new Map(examined.map(({ plan, refusal }) => [plan, refusal]))
  const refusals = rows.map(({ plan }) => (plan instanceof AppError ? plan : found.get(plan)))
  if (refusals.some((refusal) => refusal !== undefined)) return { refusals }
  const entries = await writePlans(tx, { collection: rules, access, examined })
  return { refusals, written: plans.map(({ id }, at): Written => ({ _id: id, entry: entries[at] ?? '' })) }
}

function refusalOrThrow(error: unknown) {
  if (error instanceof AppError) return error
  throw error
}

/** Each in a transaction of its own. After a fault, such as rights that have changed, the rest is not tried. */
async function writeEach(database: Database, { access, rows, log }: Batch & { log: FastifyBaseLogger }) {
  const results: (Written | AppError)[] = []
  let fault: AppError | undefined
  for (const row of rows) {
    const isNothingStored = results.every((result) => result instanceof AppError)
    const result =
      fault ??
      (await writeOne(database, { access, row }).catch((error: unknown) => {
        const refusal = toAppError(error)
        if (refusal.status < 500) return refusal
        if (isNothingStored) throw error
        log.error({ err: error }, 'a batch of rules was left unfinished')
        fault = refusal
        return refusal
      }))
    results.push(result)
    if (access.signal?.aborted) break
  }
  return results
}

async function writeOne(database: Database, { access, row }: { access: Access; row: Row }) {
  if (row.plan instanceof AppError) return row.plan
  return workAs(database, access, async (tx) => {
    const { written, refusals } = await write(tx, { access, rows: [row] })
    return written?.[0] ?? refusals[0] ?? new AppError('not_found')
  })
}

function refusalOf(rows: readonly Row[], refusals: readonly (AppError | undefined)[]) {
  const problems = refusals.flatMap((refusal, at) => (refusal ? problemsOf(rows[at]?.name ?? '', refusal) : []))
  const unnamed = refusals.reduce((sum, refusal) => sum + (refusal?.furtherFields ?? 0), 0)
  const furtherFields = Math.max(0, problems.length - maxNamed) + unnamed
  return new AppError('rows_refused', {}, { fields: Object.fromEntries(problems.slice(0, maxNamed)), furtherFields })
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
