import type { Collection } from '@portcullis/contract/collection'
import { problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import type { Database, Transaction } from '../database/database.ts'
import { kept } from '../database/kept-statements.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { Item, Recorded } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from '../input/parse-input.ts'
import { unusable } from '../errors/unusable.ts'
import { changesOfLinks } from './changes-of-links.ts'
import { demandId, readItem } from './get.ts'
import { linksIn, writeLinks } from './links.ts'
import { recordChangeOfItem } from './record-change-of-item.ts'
import { checkReferences } from './references.ts'
import { seenBy } from '../abilities/seen-by.ts'
import type { ServerHalf } from './server-half.ts'
import { updateRow } from './write-rows.ts'

type Asked = {
  collection: Collection
  half: ServerHalf
  access: Access
  id: string
  body: unknown
  /** The header of this name. */
  ifMatch?: string | undefined
}

/**
 * Changes the fields that the body names; answers the item, and the entry of history that tells of it. Somebody else's
 * change in between is a 409 with the item as it is now.
 */
export function patch(database: Database, { collection, half, access, id, body, ifMatch }: Asked) {
  demand(access, { action: 'manage', subject: collection.subject })
  const { version, ...changes } = namedOnly(body, parseInput(collection.patchSchema, body))
  const expected = expectedVersion({ version: z.int().optional().parse(version), ifMatch })
  return workAs(database, access, (tx) => patchItem(tx, { collection, half, access, id, changes, expected }))
}

type Changing = {
  collection: Collection
  half: ServerHalf
  access: Access
  id: string
  changes: Item
  expected: number | undefined
  /** The entry of history that this change takes back. */
  undoes?: string
}

/** Changes an item inside a transaction that somebody else began; the changes are already parsed. */
export async function patchItem(tx: Transaction, asked: Changing): Promise<Recorded> {
  const { collection, half, access, id, changes, expected, undoes } = asked
  demandId(collection, id)
  const { key: account, root } = access.account
  const links = linksIn(collection, changes)
  if (collection.isPolicy) lockTree(tx, { root, turn: links.length > 0 ? 'alone' : 'beside' })
  takeTurnAt(tx, id)
  const before = await readItem(tx, { collection, accounts: [account], id })
  const version = z.int().parse(before['version'])
  const shown = seenBy(collection, access.rules)
  const answer = () => readItem(tx, { collection: shown, accounts: [account], id })
  if (expected !== undefined && expected !== version) throw conflict(await answer())
  await checkReferences(tx, { collection, item: changes, access })
  const whole = { ...changes, ...(await half.beforePatch?.({ tx, access }, { before, changes })) }
  const [isWritten, linked, after] = await Promise.all([
    updateRow(tx, { collection, id, account, version, changes: whole }),
    writeLinks(tx, { collection, account, id, links }),
    readItem(tx, { collection, accounts: [account], id }),
  ])
  if (!isWritten) throw conflict(await answer())
  const changed = Object.keys(after).filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]))
  const entry = await recordChangeOfItem(tx, {
    access,
    collection,
    account,
    item: id,
    action: 'patch',
    before: pick(before, changed),
    after: pick(after, changed),
    undoes,
    others: await changesOfLinks(tx, { account, item: id, links: linked }),
  })
  return { item: shown === collection ? after : await answer(), entry }
}

/** Tells these locks from all others that the installation takes. */
const itemLock = 7_361_908

/** Who changes the same item at the same time goes on from what the one before has made of it. */
function takeTurnAt(tx: Transaction, id: string) {
  tx.send(kept(sql`select pg_advisory_xact_lock(${itemLock}, hashtext(${id}))`))
}

/** A patch changes what it names and nothing else, so the schema's initial values don't count. */
function namedOnly(body: unknown, parsed: Item) {
  const named = z.record(z.string(), z.unknown()).parse(body)
  return pick(
    parsed,
    Object.keys(parsed).filter((field) => field in named),
  )
}

/** The version that the change is meant for: that of the body or that of the header. */
function expectedVersion({ version, ifMatch }: { version: number | undefined; ifMatch: string | undefined }) {
  if (ifMatch === undefined) return version
  const [, , digits] = /^("?)(\d{1,9})\1$/.exec(ifMatch) ?? []
  if (digits === undefined) throw unusable('If-Match', problem('version_missing'))
  if (version !== undefined && version !== Number(digits)) throw unusable('If-Match', problem('version_differs'))
  return Number(digits)
}

function pick(item: Item, fields: readonly string[]): Item {
  return Object.fromEntries(fields.map((field) => [field, item[field]]))
}

function conflict(item: Item) {
  return new AppError('conflict', {}, { item })
}
