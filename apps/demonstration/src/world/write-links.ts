import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { linkEntries } from '@portcullis/server/query/link-entries'
import { tableOf } from '@portcullis/server/query/columns'
import type { Transaction } from '@portcullis/server/database/database'
import type { Chronicle, ChronicleEntry, Item } from './chronicle.ts'
import { inChunks } from './in-chunks.ts'
import type { AccountKeys } from './account-keys.ts'

type WriteLinksInput = { entries: readonly ChronicleEntry[]; keys: AccountKeys; chronicle: Chronicle }

/**
 * Stores members of groups and subjects of rules with their start: the database itself would record the present time.
 */
export async function writeLinks(tx: Transaction, { entries, keys, chronicle }: WriteLinksInput) {
  const links = chronicle.items().flatMap(({ collection, item }) => linksOf(collection, item, keys))
  for (const chunk of inChunks(links)) {
    await tx.run(
      sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
          select account, owner, field, kind, target from jsonb_to_recordset(${JSON.stringify(chunk)}::jsonb)
              as link (account int, owner uuid, field text, kind text, target uuid)`,
    )
  }
  const history = entries.flatMap((entry) => {
    const { collection, account, item: owner, before, after, at } = entry
    const whole = { _id: owner, account }
    const [old, now] = [before ?? {}, after].map((item) => linksOf(collection, { ...item, ...whole }, keys))
    const moment = new Date(at).toISOString()
    return [...without(now, old, 'added'), ...without(old, now, 'removed')].map((link) => ({ ...link, at: moment }))
  })
  await tx.run(sql`delete from link_history`)
  for (const chunk of inChunks(history)) {
    await tx.run(
      sql`insert into link_history (link_history_account, link_history_owner, link_history_field, link_history_kind,
            link_history_target, link_history_action, link_history_at)
          select account, owner, field, kind, target, action, at from jsonb_to_recordset(${JSON.stringify(chunk)}::jsonb)
              as link (account int, owner uuid, field text, kind text, target uuid, action text, at timestamptz)`,
    )
  }
}

type Link = { account: number | undefined; owner: unknown; field: string; kind: string; target: string }

function linksOf(collection: Collection, item: Item, keys: AccountKeys): Link[] {
  return [...tableOf(collection).columns.values()].flatMap(({ field, link }) => {
    const value = item[field]
    if (link?.direction !== 'from' || value === undefined) return []
    const account = keys.get(String(item['account']))
    return linkEntries(link, value).map(({ kind, id }) => ({ account, owner: item['_id'], field, kind, target: id }))
  })
}

function without(links: readonly Link[] = [], excluded: readonly Link[] = [], action: 'added' | 'removed') {
  const excludedKeys = new Set(excluded.map(keyOf))
  return links.filter((link) => !excludedKeys.has(keyOf(link))).map((link) => ({ ...link, action }))
}

function keyOf({ field, kind, target }: Link) {
  return `${field} ${kind} ${target}`
}
