import { isSealedKind } from '@portcullis/contract/sealed-numbers'
import { type AffectedUnits, applyMembers } from '@portcullis/domain/configuration/affected-units'
import { forkIndex } from '@portcullis/domain/decision/fork-index'
import {
  type GroupList,
  groupLists,
  type PolicyIndex,
  type UpdatableIndex,
} from '@portcullis/domain/decision/policy-index'
import type { PolicyList } from '@portcullis/domain/decision/update-index'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { changesIn } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'
import { listsInOrder } from '../policy/load-policy.ts'
import { memberFields, storedLists } from '../policy/stored-policy.ts'
import { takeStored, unionOf } from '../policy/tree-policy.ts'
import { tableOf } from '../query/columns.ts'
import { readItems } from '../query/read-items.ts'

export type Write = (tx: Transaction) => Promise<unknown>

/** What a change writes into one list of the policy: the items by id, as JSON, and all members of the groups. */
export type TriedItems = {
  readonly list: PolicyList
  readonly texts: ReadonlyMap<string, readonly string[]>
  readonly members: ReadonlyMap<string, ReadonlySet<string>>
}

/** The changed items, without what they are. */
export function itemsIn(tried: readonly TriedItems[]) {
  return tried.flatMap(({ list, texts }) => [...texts.keys()].map((id) => ({ list, id })))
}

/** Makes a change, reads what it has written into the policy, and takes everything back. */
export async function tryChange(database: Database, access: Access, write: Write): Promise<TriedItems[]> {
  const { promise, resolve } = Promise.withResolvers<TriedItems[]>()
  const takenBack = new Error('This change is only tried.')
  await database
    .inAccounts(access.subtree, async (tx) => {
      await write(tx)
      prove(tx, access)
      resolve(await readTried(tx))
      throw takenBack
    })
    .catch((error: unknown) => {
      if (error !== takenBack) throw error
    })
  return promise
}

async function readTried(tx: Transaction): Promise<TriedItems[]> {
  const byCollection = Map.groupBy(changesIn(tx), ({ collection }) => collection)
  const tried: TriedItems[] = []
  for (const list of listsInOrder) {
    const changes = byCollection.get(storedLists[list].collection.name)
    if (changes) tried.push(await readList(tx, { list, ids: [...new Set(changes.map(({ item }) => item))] }))
  }
  return tried
}

async function readList(tx: Transaction, { list, ids }: { list: PolicyList; ids: string[] }): Promise<TriedItems> {
  const { collection, schema } = storedLists[list]
  const where = sql`${tableOf(collection).id} = any(${ids}::uuid[])`
  const rows = await readItems(tx, { collection, fields: Object.keys(schema.shape), where })
  const byId = Map.groupBy(rows, ({ id }) => id)
  const texts = new Map(ids.map((id) => [id, (byId.get(id) ?? []).map(({ item }) => item)]))
  const group = groupLists.find((each) => each === list)
  return { list, texts, members: group ? await readMembers(tx, { group, ids }) : new Map() }
}

type ReadMembers = { group: GroupList; ids: string[] }

const memberRow = z.object({ group: z.uuid(), member: z.uuid() })

async function readMembers(tx: Transaction, { group, ids }: ReadMembers) {
  const rows = await tx.rows(
    memberRow,
    sql`select link_owner as "group", link_target as member from link
         where link_owner = any(${ids}::uuid[]) and link_field = ${memberFields[group]}`,
  )
  return new Map(
    Map.groupBy(rows, (row) => row.group)
      .entries()
      .map(([id, own]) => [id, new Set(own.map(({ member }) => member))]),
  )
}

type Tried = { readonly tried: readonly TriedItems[]; readonly access: Pick<Access, 'account'> }

export type TriedPolicy = {
  readonly before: PolicyIndex
  /** With the tried items. */
  readonly index: PolicyIndex
  /** The units whose configurations they may change. */
  readonly units: AffectedUnits
}

export function withTried(before: PolicyIndex, { tried, access }: Tried): TriedPolicy {
  const index = forkIndex(before)
  const tree = { index, unreadable: new Map(), blocking: new Map() }
  const affected: AffectedUnits[] = []
  for (const { list, texts, members } of tried) {
    const group = groupLists.find((each) => each === list)
    for (const [id, own] of texts) {
      const stored = storedTexts(before, { list, id, own, access })
      affected.push(takeStored(tree, { list, id, texts: stored }))
      if (group) affected.push(takeMembers(index, { list: group, group: id, members: members.get(id) ?? new Set() }))
    }
  }
  return { before, index, units: unionOf(affected) }
}

type TakeMembers = { list: GroupList; group: string; members: ReadonlySet<string> }

function takeMembers(index: UpdatableIndex, { list, group, members }: TakeMembers) {
  const had = index[list].members.get(group) ?? new Set()
  return applyMembers(index, { list, group, added: members.difference(had), removed: had.difference(members) })
}

type StoredTexts = Pick<Tried, 'access'> & { list: PolicyList; id: string; own: readonly string[] }

/** As a change that is stored would be read. */
function storedTexts(index: PolicyIndex, { list, id, own, access }: StoredTexts): readonly string[] {
  if (list === 'credentials') return own.map((text) => withNumber(index, text))
  if (list !== 'users') return own
  // Those in accounts that the change does not concern may be out of its sight.
  const elsewhere = (index.membershipsOfUser.get(id) ?? []).filter(({ account }) => account !== access.account._id)
  const here = own.filter((text) => membership.parse(JSON.parse(text)).account === access.account._id)
  return [...here, ...elsewhere.map((other) => JSON.stringify(other))]
}

const membership = z.object({ account: z.string() })
const credential = z.looseObject({ _id: z.string(), kind: z.string() })

/** Requests of the web cannot read encrypted numbers. A new one is unique, like the id. */
function withNumber(index: PolicyIndex, text: string) {
  const item = credential.parse(JSON.parse(text))
  if (!isSealedKind(item.kind)) return text
  return JSON.stringify({ ...item, number: index.credentials.get(item._id)?.number ?? item._id })
}
