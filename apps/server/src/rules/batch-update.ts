import { type BatchRow, batchRules } from '@portcullis/contract/calls/batch-rules'
import type { InputOf } from '@portcullis/contract/call'
import { rules } from '@portcullis/contract/collections/rules'
import { problem, type Problem } from '@portcullis/contract/errors/problem'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { creation } from '../collections/create.ts'
import { patching } from '../collections/patch.ts'
import { removal } from '../collections/remove.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { lockTree } from '../history/lock-tree.ts'
import { errorOf, toAppError } from '../http/error-answers.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { Turns } from '../limits/turns.ts'
import type { PreviewChange } from '../preview/preview-change.ts'

type BatchCallsOptions = Pick<ServeCall, 'serveProvenCall'> & {
  database: Database
  hooks: CollectionHooks
  previewChange: PreviewChange
}

/** Saves and deletes many rules, all of them or row by row (specification §7, `batchUpdate`). */
export function registerBatchRules(
  app: FastifyInstance,
  { database, hooks, serveProvenCall, previewChange }: BatchCallsOptions,
) {
  const turns = new Turns(batchesOfTree)
  serveProvenCall(app, batchRules, async ({ request, access, query: { preview }, input }) => {
    demandFewSubjects(input)
    const rows = await prepare({ access, hooks, input })
    const write = (tx: Transaction) => writeAll(tx, { access, rows })
    if (preview !== undefined) return previewChange(access, { write, withAccess: preview === 'true' })
    const results = input.rowByRow
      ? await writeEach(database, { access, rows, log: request.log })
      : await turns.take(`${access.account.root}`, () => workAs(database, access, write))
    return { deleted: resultsOf('delete', rows, results), saved: resultsOf('save', rows, results) }
  })
}

/** Of one account tree: each lets all other changes wait, such as a lockdown. */
const batchesOfTree = { most: 1, waiting: 2 } as const
/** Users, groups and doors in all rows: storing one takes about 0.1 ms. */
const maxSubjects = 2_000

function demandFewSubjects({ save }: InputOf<typeof batchRules>) {
  const lists = save.flatMap(({ who, where }) => [who, where].filter(Array.isArray))
  if (lists.reduce((sum, { length }) => sum + length, 0) <= maxSubjects) return
  throw new AppError('bad_request', {}, { fields: { save: problem('too_many_entries', { maximum: maxSubjects }) } })
}

type Written = { _id: string; entry: string }
type Work = (tx: Transaction) => Promise<Written>
/** `name`: as errors call it, such as `save.3`. */
type Row = { part: 'save' | 'delete'; name: string; work: Work }
type Prepare = { access: Access; hooks: CollectionHooks; input: InputOf<typeof batchRules> }

/** Checks each row as its own call would; the work of one that is not valid rejects. */
async function prepare({ access, hooks, input }: Prepare): Promise<Row[]> {
  const as = { collection: rules, hooks, access }
  const shared = { ...(input.adhoc === undefined ? {} : { adhoc: input.adhoc }), ...input.scheduleOptions }
  const seen = new Set<string>()
  const rows: Row[] = []
  for (const [at, { _id, ...fields }] of input.save.entries()) {
    const body = { ...shared, ...fields }
    const change = () => (_id === undefined ? creation({ ...as, body }) : patching({ ...as, id: _id, body }))
    const work = isAgain(_id) ? refusing(listedTwice()) : await change().then(recorded, refusing)
    rows.push({ part: 'save', name: `save.${at}`, work })
  }
  for (const [at, _id] of input.delete.entries()) {
    const remove = removal({ ...as, id: _id })
    const work: Work = async (tx) => ({ _id, entry: await remove(tx) })
    rows.push({ part: 'delete', name: `delete.${at}`, work: isAgain(_id) ? refusing(listedTwice()) : work })
  }
  return rows

  function isAgain(id: string | undefined) {
    const isKnown = id !== undefined && seen.has(id)
    if (id !== undefined) seen.add(id)
    return isKnown
  }
}

function recorded(change: Awaited<ReturnType<typeof patching>>): Work {
  return async (tx) => {
    const { item, entry } = await change(tx)
    return { _id: z.uuid().parse(item['_id']), entry }
  }
}

function refusing(refusal: unknown): Work {
  return async () => {
    throw refusal
  }
}

function listedTwice() {
  return new AppError('bad_request', {}, { fields: { _id: problem('listed_twice') } })
}

type Batch = { access: Access; rows: readonly Row[] }

/** The statements of this many rows are sent together. */
const rowsAtOnce = 20
/** Other changes of the tree wait meanwhile, such as a lockdown, and so do all that follow changes. */
const patienceMs = 1_500
/** The maximum number of problems that are named. */
const maxNamed = 20

/** In one transaction, which fails if a row is refused: the error names such rows. */
async function writeAll(tx: Transaction, { access, rows }: Batch) {
  lockTree(tx, { root: access.account.root, turn: 'alone' })
  await tx.run(sql`select`)
  const end = performance.now() + patienceMs
  const results: (Written | AppError)[] = []
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    access.signal?.throwIfAborted()
    if (performance.now() > end) throw new AppError('too_slow')
    const some = rows.slice(at, at + rowsAtOnce)
    results.push(...(await Promise.all(some.map(({ work }) => work(tx).catch(refusalOrThrow)))))
  }
  if (results.some((result) => result instanceof AppError)) throw refusalOf(rows, results)
  return results
}

/** Refused by the rules of the product; a failed statement has ended the transaction. */
function refusalOrThrow(error: unknown) {
  if (error instanceof AppError) return error
  throw error
}

/** Each in a transaction of its own. After a fault, such as rights that have changed, the rest is not tried. */
async function writeEach(database: Database, { access, rows, log }: Batch & { log: FastifyBaseLogger }) {
  const results: (Written | AppError)[] = []
  let fault: AppError | undefined
  for (const { work } of rows) {
    const isNothingStored = results.every((result) => result instanceof AppError)
    const result =
      fault ??
      (await workAs(database, access, work).catch((error: unknown) => {
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

function refusalOf(rows: readonly Row[], results: readonly (Written | AppError)[]) {
  const problems = results.flatMap((result, at) =>
    result instanceof AppError ? problemsOf(rows[at]?.name ?? '', result) : [],
  )
  const unnamed = results.reduce((sum, result) => sum + (result instanceof AppError ? result.furtherFields : 0), 0)
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
