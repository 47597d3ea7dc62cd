import sql from 'sql-template-tag'
import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Change } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { schemaVersion } from '../database/migrate.ts'

/** Rows of history say in which schema they were written. */
const schema = schemaVersion()

export type Item = Record<string, unknown>

/** What a change has made of an item, and the id of the entry that tells of it. */
export type Recorded = { item: Item; entry: string }

type Entry = {
  access: Access
  /** Key of the account that the item belongs to. */
  account: number
  collection: string
  item: string
  action: 'create' | 'patch' | 'delete'
  before: Item | null
  after: Item | null
  policyVersion: number | null
  /** The entry that this change takes back. */
  undoes?: string | undefined
}

/**
 * One row for one change, in the transaction that makes it: only what changed, as it was and as it is. Answers what the
 * outbox must say of it, for whoever watches the audit log.
 */
export async function recordHistory(
  tx: Transaction,
  { access, account, collection, item, action, before, after, policyVersion, undoes }: Entry,
): Promise<Change> {
  const id = uuidv7()
  const { person, assumed, requestId } = access
  await tx.run(
    sql`insert into history (history_id, history_account, history_collection, history_item, history_action,
          history_before, history_after, history_actor, history_actor_name, history_assumed_account,
          history_assumed_account_id, history_request, history_schema, history_policy_version, history_undoes)
        values (${id}, ${account}, ${collection}, ${item}, ${action}, ${jsonOrNull(before)},
          ${jsonOrNull(after)}, ${person._id}, ${person.name}, ${assumed?.key ?? null}, ${assumed?._id ?? null}, ${requestId},
          ${await schema}, ${policyVersion}, ${undoes ?? null})`,
  )
  return { account, collection: auditLogs.name, item: id, action: 'save', isPolicy: false }
}

/**
 * Takes the next version of the tree's policy. The row stays locked until the transaction ends, so changes of one
 * tree happen one after the other, and the order of versions is the order of commits.
 */
export async function nextPolicyVersion(tx: Transaction, root: number) {
  const row = await tx.first(
    z.object({ version: z.number() }),
    sql`update policy set policy_version = policy_version + 1 where policy_root = ${root}
        returning policy_version as version`,
  )
  if (!row) throw new Error(`the account tree ${root} has no policy`)
  return row.version
}

function jsonOrNull(item: Item | null) {
  return item === null ? null : JSON.stringify(item)
}
