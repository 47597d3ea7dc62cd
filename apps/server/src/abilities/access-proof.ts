import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Cells } from '../database/send-batch.ts'
import type { Database, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { AppError } from '../errors/app-error.ts'
import type { Access } from './access.ts'

/**
 * Proves, inside the transaction of a request, that the cached rights of the user are still valid: since the snapshot no
 * epoch has begun for the user or the accounts, no membership has begun or ended by the clock, and the session is open.
 */
export type AccessProof = {
  tokenHash: Buffer
  person: string
  accounts: readonly number[]
  since: string
  until: string
}

/** Rights are looked up again at least this often, in case a change was missed. */
const longestMinutes = 10

const begun = z.object({ person: z.uuid(), since: z.string(), until: z.string() })

/** Taken before the rights are looked up, so that no change falls between; undefined where there is no session. */
export function beginProof(database: Database, tokenHash: Buffer) {
  return database.first(
    begun,
    prepared(sql`select live_session_person as person, pg_current_snapshot()::text as since,
           least(now() + make_interval(mins => ${longestMinutes}), (
             select min(moment) from membership, unnest(array[membership_valid_from, membership_valid_until]) moment
              where membership_user = live_session_person and moment > now())) as until
          from live_session where live_session_token_hash = ${tokenHash}`),
  )
}

/** The condition that rights are still as they were looked up. */
export function stillHolds(proof: AccessProof): Sql {
  return sql`access_holds(${valuesOf(proof)})`
}

/** Reads what an access covers, and proves in the same transaction that it still does. */
export async function askAs(database: Database, access: Access, questions: readonly Sql[]): Promise<Cells[][]> {
  const holds = access.proof ? stillHolds(access.proof) : sql`true`
  const answers = await database.ask({ accounts: access.reads, holds, signal: access.signal }, questions)
  if (!answers) throw rightsHaveChanged()
  return answers
}

/** Writes in the accounts that an access may change, and proves in the same transaction that it still does. */
export function workAs<T>(database: Database, access: Access, work: (tx: Transaction) => Promise<T>) {
  return database.inAccounts(access.subtree, async (tx) => {
    const result = await work(tx)
    prove(tx, access)
    return result
  })
}

/**
 * The last statement of every change, because the change may have waited long for locks. If the rights have changed
 * meanwhile, nothing is committed.
 */
export function prove(tx: Transaction, { proof }: { proof?: AccessProof | undefined }) {
  if (proof) tx.send(prepared(sql`select prove_access(${valuesOf(proof)})`))
}

function valuesOf({ tokenHash, person, accounts, since, until }: AccessProof) {
  return sql`${tokenHash}, ${person}, ${accounts}, ${since}, ${until}`
}

function rightsHaveChanged() {
  return new AppError('unavailable')
}

/** Removes epochs that are too old to matter: no rights are cached for a day. */
export function pruneEpochs(database: Database) {
  return database.asSystem((tx) =>
    tx.run(sql`delete from authorisation_epoch where authorisation_epoch_at < now() - interval '1 day'`),
  )
}
