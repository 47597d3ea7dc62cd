import { isSealedKind } from '@portcullis/contract/sealed-numbers'
import { type AffectedUnits, applyMembers } from '@portcullis/domain/configuration/affected-units'
import { forkIndex } from '@portcullis/domain/decision/fork-index'
import { type GroupList, groupLists, type PolicyIndex } from '@portcullis/domain/decision/policy-index'
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

/** What a change writes into one list of the policy: the items by id, as JSON, and the members who join or leave groups. */
export type TriedItems = {
  readonly list: PolicyList
  readonly texts: ReadonlyMap<string, readonly string[]>
  readonly members: ReadonlyMap<string, ChangedMembers>
}
type ChangedMembers = { readonly added: readonly string[]; readonly removed: readonly string[] }

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

const memberRow = z.object({ group: z.uuid(), member: z.uuid(), isMember: z.boolean() })

/** Only those that this transaction has changed: a group may have thousands. */
async function readMembers(tx: Transaction, { group: list, ids }: ReadMembers) {
  const rows = await tx.rows(
    memberRow,
    sql`select distinct link_history_owner as "group", link_history_target as member,
               exists (select from link where link_owner = link_history_owner and link_field = link_history_field
                          and link_target = link_history_target) as "isMember"
          from link_history
         where link_history_owner = any(${ids}::uuid[]) and link_history_field = ${memberFields[list]}
           and link_history_at >= now() and link_history_position = pg_current_xact_id()::text::bigint`,
  )
  return new Map(
    Map.groupBy(rows, (row) => row.group)
      .entries()
      .map(([id, own]) => {
        const of = (isMember: boolean) => own.filter((row) => row.isMember === isMember).map(({ member }) => member)
        return [id, { added: of(true), removed: of(false) }]
      }),
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

/** In short steps. */
export function* withTried(before: PolicyIndex, { tried, access }: Tried): Generator<undefined, TriedPolicy> {
  const index = forkIndex(before)
  const tree = { index, unreadable: new Map(), blocking: new Map() }
  const affected: AffectedUnits[] = []
  for (const { list, texts, members } of tried) {
    const group = groupLists.find((each) => each === list)
    for (const [id, own] of texts) {
      yield
      affected.push(takeStored(tree, { list, id, texts: storedTexts(before, { list, id, own, access }) }))
      const changed = members.get(id)
      if (group && changed) affected.push(applyMembers(index, { list: group, group: id, ...changed }))
    }
  }
  return { before, index, units: unionOf(affected) }
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
