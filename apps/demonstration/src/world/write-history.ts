import sql from 'sql-template-tag'
import type { Transaction } from '@portcullis/server/database/database'
import { schemaVersion } from '@portcullis/server/database/read-migrations'
import type { Random } from '../random.ts'
import { type Deed, makeId } from './chronicle.ts'
import { inChunks } from './in-chunks.ts'
import type { AccountKeys } from './account-keys.ts'

type WriteHistoryInput = { deeds: readonly Deed[]; keys: AccountKeys; root: number; random: Random }

/** The version of the policy with which a tree begins. */
const firstPolicyVersion = 1

/** Writes to the audit log who did what, with the versions that the policy received. The changes are in the order of time. */
export async function writeHistory(tx: Transaction, { deeds, keys, root, random }: WriteHistoryInput) {
  const schema = await schemaVersion()
  const rows = versionsOf(deeds).map(({ deed, version }) => ({
    id: makeId(deed.at, random),
    account: keys.get(deed.account),
    collection: deed.collection.name,
    item: deed.item,
    action: deed.before === null ? 'create' : 'patch',
    before: deed.before,
    after: deed.after,
    actor: deed.by._id,
    name: deed.by.name,
    request: makeId(deed.at, random),
    at: new Date(deed.at).toISOString(),
    version: deed.collection.isPolicy ? version : null,
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
  const newest = versionsOf(deeds).at(-1)?.version ?? firstPolicyVersion
  await tx.run(sql`update policy set policy_version = ${newest} where policy_root = ${root}`)
}

/** Each deed with the version that the policy has after it. */
export function versionsOf(deeds: readonly Deed[]) {
  let version = firstPolicyVersion
  return deeds.map((deed) => {
    version += Number(deed.collection.isPolicy)
    return { deed, version }
  })
}
