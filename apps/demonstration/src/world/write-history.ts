import sql from 'sql-template-tag'
import type { Transaction } from '@portcullis/server/database/database'
import { schemaVersion } from '@portcullis/server/database/read-migrations'
import type { Random } from '../random.ts'
import { type ChronicleEntry, makeId } from './chronicle.ts'
import { inChunks } from './in-chunks.ts'
import type { AccountKeys } from './account-keys.ts'

type WriteHistoryInput = { entries: readonly ChronicleEntry[]; keys: AccountKeys; root: number; random: Random }

/** The version of the policy with which a tree begins. */
const firstPolicyVersion = 1

/** Writes the changes, in the order of time, to the audit log with their author and policy version. */
export async function writeHistory(tx: Transaction, { entries, keys, root, random }: WriteHistoryInput) {
  const schema = await schemaVersion()
  const rows = versionsOf(entries).map(({ entry, version }) => ({
    id: makeId(entry.at, random),
    account: keys.get(entry.account),
    collection: entry.collection.name,
    item: entry.item,
    action: entry.before === null ? 'create' : 'patch',
    before: entry.before,
    after: entry.after,
    actor: entry.by._id,
    name: entry.by.name,
    request: makeId(entry.at, random),
    at: new Date(entry.at).toISOString(),
    version: entry.collection.isPolicy ? version : null,
  }))
  for (const chunk of inChunks(rows)) {
    await tx.run(
      sql`insert into history (history_id, history_account, history_collection, history_item, history_action,
            history_before, history_after, history_actor, history_actor_name, history_request, history_at, history_schema,
            history_policy_version)
          select id, account, collection, item, action, before, after, actor, name, request, at, ${schema}, version
            from jsonb_to_recordset(${JSON.stringify(chunk)}::jsonb)
              as entry (id uuid, account int, collection text, item uuid, action text, before jsonb, after jsonb, actor uuid,
                name text, request text, at timestamptz, version bigint)`,
    )
  }
  const newest = versionsOf(entries).at(-1)?.version ?? firstPolicyVersion
  await tx.run(sql`update policy set policy_version = ${newest} where policy_root = ${root}`)
}

/** Each deed with the version that the policy has after it. */
export function versionsOf(entries: readonly ChronicleEntry[]) {
  let version = firstPolicyVersion
  return entries.map((entry) => {
    version += Number(entry.collection.isPolicy)
    return { entry, version }
  })
}
