import { type AffectedUnits, applyMembers } from '@portcullis/domain/configuration/affected-units'
import { type GroupList, groupLists } from '@portcullis/domain/decision/policy-index'
import type { PolicyList } from '@portcullis/domain/decision/update-index'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { tableOf } from '../query/columns.ts'
import { timeSlices } from '../time-slices.ts'
import { readPolicyItems } from './read-policy-items.ts'
import { inTree, listsInOrder, loadMembers, type Read } from './load-policy.ts'
import { memberFields, storedLists } from './stored-policy.ts'
import { takeStored, type TreePolicy } from './tree-policy.ts'

/** An item that a committed transaction changed. */
export type ChangedItem = {
  readonly collection: string
  readonly item: string
  readonly xid: number
  readonly id: number
}

const atOnce = 250
const membersAtOnce = 1_000

/**
 * Reads the changed items again as they are now, and takes them over. Taking one over twice, or in another order, gives the
 * same index. Returns the units affected.
 */
export async function updatePolicy(
  read: Read,
  tree: TreePolicy,
  changes: readonly ChangedItem[],
): Promise<AffectedUnits> {
  const affected = new Set<string>()
  let isWhole = false
  const slices = timeSlices()
  /** One after the other, because each of thousands of items may affect hundreds of units. */
  const add = async (units: AffectedUnits) => {
    if (units === 'all') isWhole = true
    else for (const unit of units) affected.add(unit)
    await slices.pause()
  }
  for (const list of listsInOrder) {
    const { name } = storedLists[list].collection
    const changed = changes.filter(({ collection }) => collection === name)
    const blocked = list === 'rules' ? [...tree.blocking.keys()] : []
    const ids = [...new Set([...changed.map(({ item }) => item), ...blocked])]
    const group = groupLists.find((each) => each === list)
    for (let at = 0; at < ids.length; at += atOnce) {
      const some = ids.slice(at, at + atOnce)
      const texts = await read((tx) => readTexts(tx, { list, tree, ids: some }))
      for (const id of some) {
        const isNew = group !== undefined && !tree.index[group].groups.has(id)
        await add(takeStored(tree, { list, id, texts: texts.get(id) ?? [] }))
        if (group && isNew) await add(await takeNewGroup(read, tree, { list: group, group: id }))
      }
    }
    if (group) for await (const units of takeMembers(read, tree, { list: group, changed })) await add(units)
  }
  return isWhole ? 'all' : affected
}

type ReadTexts = { list: PolicyList; tree: TreePolicy; ids: readonly string[] }

async function readTexts(tx: Transaction, { list, tree: { root, numbers }, ids }: ReadTexts) {
  const { id, account } = tableOf(storedLists[list].collection)
  const where = sql`${id} = any(${[...ids]}::uuid[]) and ${inTree({ account, root })}`
  const rows = await readPolicyItems(tx, { list, numbers, where })
  return new Map(
    Map.groupBy(rows, (row) => row.id)
      .entries()
      .map(([key, own]) => [key, own.map(({ item }) => item)]),
  )
}

async function takeNewGroup(read: Read, tree: TreePolicy, { list, group }: { list: GroupList; group: string }) {
  await loadMembers(read, tree, { list, group })
  return applyMembers(tree.index, { list, group, added: tree.index[list].members.get(group) ?? [], removed: [] })
}

const touchedRow = z.object({ group: z.uuid(), member: z.uuid(), isMember: z.boolean() })

type TakeMembers = { list: GroupList; changed: readonly ChangedItem[] }

/** Of groups, only the members that these transactions added or removed are read again: a group may have thousands. */
async function* takeMembers(
  read: Read,
  tree: TreePolicy,
  { list, changed }: TakeMembers,
): AsyncGenerator<AffectedUnits> {
  if (changed.length === 0) return
  const touched = await read((tx) =>
    tx.rows(
      touchedRow,
      sql`select distinct link_history_owner as "group", link_history_target as member,
                 exists (select from link where link_owner = link_history_owner and link_field = ${memberFields[list]}
                            and link_target = link_history_target) as "isMember"
            from unnest(${changed.map(({ xid }) => xid)}::bigint[], ${changed.map(({ id }) => id)}::bigint[]) as named (xid, id)
            join change on change_xid = named.xid::text::xid8 and change_id = named.id
            join link_history on link_history_owner = change_item and link_history_at >= change_at
             and link_history_position = named.xid and link_history_field = ${memberFields[list]}`,
    ),
  )
  for (const [group, rows] of Map.groupBy(touched, (row) => row.group)) {
    for (let at = 0; at < rows.length; at += membersAtOnce) {
      const some = rows.slice(at, at + membersAtOnce)
      const of = (isMember: boolean) => some.filter((row) => row.isMember === isMember).map(({ member }) => member)
      yield applyMembers(tree.index, { list, group, added: of(true), removed: of(false) })
    }
  }
}
