import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database } from '../database/database.ts'
import { recordUnitChanges } from '../ingest/unit-events.ts'
import type { Policies } from '../policy/policies.ts'
import { repeat } from '../repeat.ts'

type LagOptions = {
  database: Database
  feed: ChangeFeed
  policies: Pick<Policies, 'ofAccountAt'>
  log: FastifyBaseLogger
}

const everyMs = 1_000
/** A change is usually compiled within a second; the first compilation of a large tree takes longer. */
const toleratedSeconds = 10

/**
 * Marks the units of account trees whose policy waits too long to be compiled, and removes the marks when it is. Every
 * server does so, whichever compiles. Also brings these policies up to date, which compiles them: a long transaction may
 * hold up the outbox.
 */
export function startMarkingLag({ database, feed, policies, log }: LagOptions) {
  return repeat({ everyMs, log, failure: 'marking controllers behind their policy failed; will retry' }, async () => {
    if ((await markLag(database)) > 0) feed.hint()
    const late = await database.rows(lateRow, sql`select policy_root as root, policy_version as version ${lateTrees}`)
    await Promise.all(late.map(({ root, version }) => policies.ofAccountAt(root, version)))
  })
}

const lateRow = z.object({ root: z.int(), version: z.number() })

const unitRow = z.object({ unit: z.uuid(), account: z.int() })

/** Each tree waits for one version at a time, so that a policy that changes all the time is not late by itself. */
const awaitNext = sql`update policy set policy_awaited_version = policy_version, policy_awaited_at = now()
  where policy_root in (select policy_root from policy
    where policy_version > policy_compiled_version and policy_compiled_version >= coalesce(policy_awaited_version, 0)
    for update skip locked)`

const lateTrees = sql`from policy
  where policy_awaited_version > policy_compiled_version
    and policy_awaited_at < now() - make_interval(secs => ${toleratedSeconds})`

/** Rows that are locked are marked the next time: waiting for them could be a deadlock with a gateway. */
const marked = sql`update unit_state set unit_state_fault = 'behind_policy' where unit_state_id in (
    select unit_state_id from unit_state join account on account_key = unit_state_account
      join unit_secret on unit_secret_unit = unit_state_id
     where account_root in (select policy_root ${lateTrees}) and unit_state_fault is null for no key update of unit_state skip locked)
  returning unit_state_id as unit, unit_state_account as account`

const cleared = sql`update unit_state set unit_state_fault = null where unit_state_id in (
    select unit_state_id from unit_state join account on account_key = unit_state_account
     where unit_state_fault = 'behind_policy' and account_root not in (select policy_root ${lateTrees})
       for no key update of unit_state skip locked)
  returning unit_state_id as unit, unit_state_account as account`

/** Returns how many units were marked, or lost their mark. */
function markLag(database: Database) {
  return database.asSystem(async (tx) => {
    const [, ...changed] = await Promise.all([tx.run(awaitNext), tx.rows(unitRow, marked), tx.rows(unitRow, cleared)])
    await recordUnitChanges(tx, changed.flat())
    return changed.flat().length
  })
}
