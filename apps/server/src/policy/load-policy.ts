import { type GroupList, groupLists } from '@portcullis/domain/decision/policy-index'
import { changeMembers, type PolicyList } from '@portcullis/domain/decision/update-index'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { tableOf } from '../query/columns.ts'
import type { CredentialNumbers } from '../numbers/credential-numbers.ts'
import { timeSlices } from '../time-slices.ts'
import { readPolicyItems } from './read-policy-items.ts'
import { memberFields, storedLists } from './stored-policy.ts'
import { emptyTree, takeStored, type TreePolicy } from './tree-policy.ts'

/** Runs one read, in a transaction of its own or in that of the caller. */
export type Read = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

// Small enough that parsing no page keeps the process from other work for long.
const pageSize = 250
const membersAtOnce = 1_000

/**
 * Reads everything that decisions of an account tree depend on, page by page. Changes that are committed meanwhile may be
 * included or not, so the caller takes them over afterwards.
 */
export async function loadPolicy(read: Read, root: number, numbers: CredentialNumbers): Promise<TreePolicy> {
  const tree = emptyTree(root, numbers)
  // First: later reads include at least this version.
  const found = await read((tx) => tx.first(versionRow, versionOf(root)))
  tree.index.version = found?.version ?? 0
  for (const list of listsInOrder) await loadList(read, tree, list)
  for (const list of groupLists) {
    for (const group of tree.index[list].groups.keys()) await loadMembers(read, tree, { list, group })
  }
  return tree
}

const versionRow = z.object({ version: z.number() })

function versionOf(root: number) {
  return sql`select policy_version as version from policy where policy_root = ${root}`
}

/** Accounts and users first: others refer to them, and share their ids in memory. */
export const listsInOrder: readonly PolicyList[] = [
  'accounts',
  'sites',
  'units',
  'doors',
  'users',
  'credentials',
  ...groupLists,
  'schedules',
  'holidays',
  'lockdownPlans',
  'rules',
]

const none = { id: '00000000-0000-0000-0000-000000000000', account: 0 }

async function loadList(read: Read, tree: TreePolicy, list: PolicyList) {
  const { id, account } = tableOf(storedLists[list].collection)
  // The memberships of one user may continue on the next page.
  let open: { id: string; texts: string[] } = { id: '', texts: [] }
  const slices = timeSlices()
  for (let last = none; ; ) {
    const rows = await read((tx) =>
      readPolicyItems(tx, {
        list,
        numbers: tree.numbers,
        where: sql`${inTree({ account, root: tree.root })} and (${id}, ${account}) > (${last.id}::uuid, ${last.account}::int)
                   order by ${id}, ${account} limit ${pageSize}`,
      }),
    )
    for (const row of rows) {
      if (row.id !== open.id) open = { id: row.id, texts: [] }
      open.texts.push(row.item)
      takeStored(tree, { list, ...open })
      last = row
      await slices.pause()
    }
    if (rows.length < pageSize) return
  }
}

export function inTree({ account, root }: { account: ReturnType<typeof sql>; root: number }) {
  return sql`${account} in (select tree.account_key from account tree where tree.account_root = ${root})`
}

/** Adds all members of a group, page by page. */
export async function loadMembers(
  read: Read,
  { index }: TreePolicy,
  { list, group }: { list: GroupList; group: string },
) {
  const slices = timeSlices()
  for (let last = none.id; ; ) {
    const rows = await read((tx) =>
      tx.cells(sql`select link_target from link
        where link_owner = ${group} and link_field = ${memberFields[list]} and link_target > ${last}
        order by link_target limit ${membersAtOnce}`),
    )
    const added = rows.flatMap(([member]) => member ?? [])
    changeMembers(index, { list, group, added, removed: [] })
    last = added.at(-1) ?? last
    if (added.length < membersAtOnce) return
    await slices.pause()
  }
}
