import sql from 'sql-template-tag'
import { type auditActions, auditLogs } from '@portcullis/contract/collections/audit-logs'
import { v7 as uuidv7 } from 'uuid'
import type { Change } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { schemaVersion } from '../database/read-migrations.ts'

/** History rows hold the schema version in which they were written. */
const schema = await schemaVersion()

export type Item = Record<string, unknown>

/** An item after a change, and the id of its history entry. */
export type Recorded = { item: Item; entry: string }

/** The user who makes a change, and the account in which they act. */
export type Actor = {
  person: { _id: string; name: string }
  account: { root: number }
  assumed: { _id: string; key: number; assumption: { _id: string; reason: string } | null } | null
  requestId: string
}

type EntryOfItem = {
  id: string
  /** Key of the account that the item belongs to. */
  account: number
  /** Null if the entry is not about one item. */
  item: string | null
  action: (typeof auditActions)[number]
  before: Item | null
  after: Item | null
}

type Origin = {
  /** The user has no `_id` where an operator at the server makes the change, and no name where the server makes it. */
  access: Omit<Actor, 'person'> & { person: { _id: string | null; name: string | null } }
  /** Why the server makes the change. */
  reason?: 'door_left_out'
  collection: string
  /** Whether the change takes the next version of the policy of its account tree; `if free`: unless another transaction holds it. */
  policyVersion: 'next' | 'if free' | null
  /** The entry that this change undoes. */
  undoes?: string | undefined
}

/**
 * Writes one row per change, in its transaction, with the values that the caller gives, before and after. Returns the
 * change for the outbox, for clients that watch the audit log. Locks the row of the tree's version until the
 * transaction ends, so that the order of versions is the order of commits: call it last, when there is nothing left to
 * wait for.
 */
export async function recordHistory(
  tx: Transaction,
  {
    id = uuidv7(),
    account,
    item,
    action,
    before,
    after,
    ...origin
  }: Origin & Partial<Pick<EntryOfItem, 'id'>> & Omit<EntryOfItem, 'id'>,
): Promise<Change> {
  recordHistoryOf(tx, { ...origin, entries: [{ id, account, item, action, before, after }] })
  return changeOfHistory({ id, account })
}

/** The same for many items of a collection, which one transaction changes: they take one version of the policy. */
export function recordHistoryOf(
  tx: Transaction,
  { access, reason, collection, policyVersion, undoes, entries }: Origin & { entries: readonly EntryOfItem[] },
) {
  const { person, assumed, requestId } = access
  const inside = assumed ?? { key: null, _id: null, assumption: null }
  const assumption = inside.assumption ?? { _id: null, reason: null }
  const version = versionOf(policyVersion, access.account.root)
  const rows = sql`unnest(${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ account }) => account)}::int[],
    ${entries.map(({ item }) => item)}::uuid[], ${entries.map(({ action }) => action)}::text[],
    ${entries.map(({ before }) => jsonOrNull(before))}::text[], ${entries.map(({ after }) => jsonOrNull(after))}::text[])`
  // Deleting a top-level account deletes its policy row too, hence the left join.
  tx.send(
    prepared(sql`with next as (${version})
      insert into history (history_id, history_account, history_collection, history_item, history_action,
        history_before, history_after, history_actor, history_actor_name, history_assumed_account,
        history_assumed_account_id, history_assumption, history_reason, history_request, history_schema, history_policy_version, history_undoes)
      select id, account, ${collection}, item, action, before::jsonb, after::jsonb,
             ${person._id}::uuid, ${person.name}, ${inside.key}::int,
             ${inside._id}::uuid, ${assumption._id}::uuid, ${reason ?? assumption.reason}, ${requestId}, ${schema}::int, version, ${undoes ?? null}::uuid
        from ${rows} entry (id, account, item, action, before, after) left join next on true`),
  )
}

/** The change for the outbox that announces an entry. */
export function changeOfHistory({ id, account }: { id: string; account: number }): Change {
  return { account, collection: auditLogs.name, item: id, action: 'save', isPolicy: false }
}

/** More entries than this are not announced one by one. */
const maxAnnounced = 500

/** The changes for the outbox that announce many entries: at most one for each, otherwise one for each account. */
export function changesOfEntries(entries: readonly { id: string; account: number }[]): Change[] {
  if (entries.length <= maxAnnounced) return entries.map(changeOfHistory)
  const firsts = new Map(entries.map((entry) => [entry.account, entry]))
  return [...firsts.values()].map((entry) => ({ ...changeOfHistory(entry), action: 'reread' }))
}

function versionOf(policyVersion: Origin['policyVersion'], root: number) {
  if (policyVersion === null) return sql`select null::bigint as version`
  return policyVersion === 'next'
    ? sql`select next_policy_version(${root}) as version`
    : sql`select free_policy_version(${root}) as version`
}

function jsonOrNull(item: Item | null) {
  return item === null ? null : JSON.stringify(item)
}
