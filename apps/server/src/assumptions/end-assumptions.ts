import type { AssumptionEnd } from '@portcullis/contract/calls/assume-account'
import { accounts } from '@portcullis/contract/collections/accounts'
import sql, { empty, type Sql } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'
import { recordHistory } from '../history/record-history.ts'

type EndAssumptionInput = { session: string; from: number; account: string; requestId: string }

/** Ends a session's assumption of an account, given by ref or `_id`; returns its seconds, or null if none was open. */
export function endAssumption(database: Database, { session, from, account, requestId }: EndAssumptionInput) {
  return database.asSystem(async (tx) => {
    await endOverdueAssumptions(tx, { session })
    const [ended] = await end(tx, {
      condition: sql`assumption_session = ${session} and assumption_from = ${from}
        and (account_ref = ${account} or account_id::text = ${account})`,
      endsAt: sql`now()`,
      as: 'stopped',
      requestId,
    })
    return ended?.seconds ?? null
  })
}

/** Ends assumptions whose time is over or whose session has ended: all of them, or those of one session. */
export async function endOverdueAssumptions(tx: Transaction, { session }: { session?: string } = {}) {
  const ofSession = session === undefined ? empty : sql`and assumption_session = ${session}`
  await end(tx, {
    condition: sql`not exists (select from open_session where open_session_id = assumption_session) ${ofSession}`,
    endsAt: sql`least(assumption_until, now(), coalesce((
      select least(session_ended_at, session_created_at + interval '12 hours',
                   session_last_activity_at + make_interval(secs => session_idle_time + 60))
        from session where session_id = assumption_session), assumption_until))`,
    as: 'session',
  })
  await end(tx, { condition: sql`assumption_until <= now() ${ofSession}`, endsAt: sql`assumption_until`, as: 'time' })
}

const row = z.object({
  _id: z.uuid(),
  reason: z.string(),
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  seconds: z.int(),
  person: z.object({ _id: z.uuid(), name: z.string(), hyper: z.boolean() }),
  inside: z.object({
    _id: z.uuid(),
    key: z.int(),
    ref: z.string(),
    name: z.string(),
    root: z.int(),
    defaultTimeZone: z.string(),
  }),
})

type Ending = { condition: Sql; endsAt: Sql; as: AssumptionEnd; requestId?: string }

/** Ends the open assumptions among them, each once even across servers, and records it in the account's audit log. */
async function end(tx: Transaction, { condition, endsAt, as, requestId = `assumption ${as}` }: Ending) {
  const ended = await tx.rows(
    row,
    sql`with due as (
          select assumption_id as id from assumption left join account on account_key = assumption_account
           where assumption_ended_at is null and ${condition} for update of assumption skip locked),
        ended as (
          update assumption set assumption_ended_at = greatest(assumption_since, ${endsAt})
           where assumption_id in (select id from due) returning *)
        select assumption_id as _id, assumption_reason as reason, assumption_since as since, assumption_until as until,
               assumption_ended_at as "endedAt",
               extract(epoch from assumption_ended_at - assumption_since)::int as seconds,
               json_build_object('_id', person_id, 'name', person_name, 'hyper', person_hyper) as person,
               json_build_object('_id', account_id, 'key', account_key, 'ref', account_ref, 'name', account_name,
                 'root', account_root, 'defaultTimeZone', account_default_time_zone) as inside
          from ended join person on person_id = assumption_person join account on account_key = assumption_account`,
  )
  for (const { person, inside, seconds, endedAt, ...begun } of ended) {
    const access = {
      person,
      account: inside,
      assumed: { ...inside, assumption: begun },
      role: null,
      inherited: false,
      rules: [],
      subtree: [inside.key],
      covered: [inside.key],
      reads: [inside.key],
      requestId,
    }
    const logged = await recordHistory(tx, {
      id: uuidv7(),
      access,
      account: inside.key,
      collection: accounts.name,
      item: null,
      action: 'leave',
      before: null,
      after: { since: begun.since, endedAt, seconds, endedBy: as },
      policyVersion: null,
    })
    await recordChanges(tx, [logged])
  }
  return ended
}
