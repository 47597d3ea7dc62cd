import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { type Change, recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { changesOfEntries, recordHistoryOf } from '../history/record-history.ts'
import { tableOf } from '../query/columns.ts'
import { readItems } from '../query/read-items.ts'
import { type MovePlan, ownerOf } from './plan-move.ts'

/** Takes the moved doors and sites out of groups, rules and lockdown plans that do not apply where they go. */
export async function leaveLinks(tx: Transaction, { plan, access }: { plan: MovePlan; access: Access }) {
  const targets = [...plan.doors.map(({ id }) => id), ...plan.movedSites]
  const fields = Map.groupBy(plan.left, (link) => `${ownerOf(link).name} ${link.field}`)
  await Promise.all(
    [...fields.values()].map(async ([first, ...others]) => {
      if (!first) return
      const owners = [...new Set([first, ...others].map(({ owner }) => owner))]
      await leaveField(tx, { collection: ownerOf(first), field: first.field, owners, targets, access })
    }),
  )
}

type LeaveFieldInput = {
  collection: Collection
  field: string
  owners: readonly string[]
  targets: readonly string[]
  access: Access
  /** The item that takes the place of the only target. */
  successor?: string | undefined
  /** Whether the successor joins the target, which stays. */
  keepsTargets?: boolean
}

const document = z.record(z.string(), z.unknown())

/** One statement for each table, all sent at once: meanwhile, the whole tree waits for its lock. */
export async function leaveField(
  tx: Transaction,
  { collection, field, owners, targets, access, successor, keepsTargets = false }: LeaveFieldInput,
) {
  const { name, isPolicy } = collection
  const table = tableOf(collection)
  const where = sql`${table.id} = any(${[...owners]}::uuid[])`
  const read = () => readItems(tx, { collection, fields: [field], where })
  const left = sql`link_owner = any(${[...owners]}::uuid[]) and link_field = ${field}
    and link_target = any(${[...targets]}::uuid[])`
  const [before, , , , after] = await Promise.all([
    read(),
    tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select link_account, link_owner, link_field, link_kind, ${successor ?? null}::uuid from link
       where ${left} and ${successor !== undefined} on conflict do nothing`),
    tx.run(sql`delete from link where ${left} and ${!keepsTargets}`),
    tx.run(
      sql`update ${table.name} set ${table.version} = ${table.version} + 1, ${table.updatedAt} = now() where ${where}`,
    ),
    read(),
  ])
  const earlier = new Map(before.map(({ id, item }) => [id, item]))
  const entries = after.map(({ id: item, account, item: text }) => ({
    id: uuidv7(),
    account,
    item,
    action: 'patch' as const,
    before: document.parse(JSON.parse(earlier.get(item) ?? '{}')),
    after: document.parse(JSON.parse(text)),
  }))
  const changed = entries.map(
    ({ account, item }): Change => ({ account, collection: name, item, isPolicy, action: 'save' }),
  )
  await recordChanges(tx, [...changed, ...changesOfEntries(entries)])
  recordHistoryOf(tx, { access, collection: name, entries, policyVersion: isPolicy ? 'next' : null })
}
