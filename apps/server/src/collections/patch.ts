import type { Collection } from '@portcullis/contract/collection'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { recordChanges } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'
import { type Item, nextPolicyVersion, type Recorded, recordHistory } from '../history/record-history.ts'
import { AppError } from '../http/app-error.ts'
import { parseInput } from '../http/parse-input.ts'
import { changesOfLinks } from './changes-of-links.ts'
import { readItem } from './get.ts'
import { writeLinks } from './links.ts'
import { checkReferences } from './references.ts'
import { seenBy } from './seen-by.ts'
import type { ServerHalf } from './server-half.ts'
import { updateRow } from './write-rows.ts'

type Asked = { collection: Collection; half: ServerHalf; access: Access; id: string; body: unknown; ifMatch?: string }

/**
 * Changes the fields that the body names; answers the item, and the entry of history that tells of it. Somebody else's
 * change in between is a 409 with the item as it is now.
 */
export function patch(database: Database, { collection, half, access, id, body, ifMatch }: Asked) {
  demand(access, { action: 'manage', subject: collection.subject })
  const { version, ...changes } = namedOnly(body, parseInput(collection.patchSchema, body))
  const expected = z.int().optional().parse(version) ?? versionOf(ifMatch)
  return database.inAccounts(access.subtree, (tx) => patchItem(tx, { collection, half, access, id, changes, expected }))
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
  const account = access.account.key
  const policyVersion = collection.isPolicy ? await nextPolicyVersion(tx, access.account.root) : null
  const before = await readItem(tx, { collection, accounts: [account], id })
  const version = z.int().parse(before['version'])
  const shown = seenBy(collection, access.rules)
  const answer = () => readItem(tx, { collection: shown, accounts: [account], id })
  if (expected !== undefined && expected !== version) throw conflict(await answer())
  await checkReferences(tx, { collection, item: changes, accounts: access.subtree })
  const whole = { ...changes, ...(await half.beforePatch?.({ tx, access }, { before, changes })) }
  if (!(await updateRow(tx, { collection, id, account, version, changes: whole }))) {
    throw conflict(await answer())
  }
  const links = await writeLinks(tx, { collection, account, id, item: whole })
  const after = await readItem(tx, { collection, accounts: [account], id })
  const changed = Object.keys(after).filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]))
  const logged = await recordHistory(tx, {
    access,
    account,
    collection: collection.name,
    item: id,
    action: 'patch',
    before: pick(before, changed),
    after: pick(after, changed),
    policyVersion,
    undoes,
  })
  const saved = {
    account,
    collection: collection.name,
    item: id,
    action: 'save' as const,
    isPolicy: collection.isPolicy,
  }
  await recordChanges(tx, [saved, logged, ...(await changesOfLinks(tx, { account, item: id, links }))])
  return { item: shown === collection ? after : await answer(), entry: logged.item }
}

/** A patch changes what it names and nothing else, so the schema's initial values don't count. */
function namedOnly(body: unknown, parsed: Item) {
  const named = z.record(z.string(), z.unknown()).parse(body)
  return pick(
    parsed,
    Object.keys(parsed).filter((field) => field in named),
  )
}

function versionOf(ifMatch: string | undefined) {
  if (ifMatch === undefined) return undefined
  const [, digits] = /^"?(\d{1,9})"?$/.exec(ifMatch) ?? []
  if (digits === undefined) throw new AppError('bad_request', 'The header If-Match holds the version of the item.')
  return Number(digits)
}

function pick(item: Item, fields: readonly string[]): Item {
  return Object.fromEntries(fields.map((field) => [field, item[field]]))
}

function conflict(item: Item) {
  return new AppError('conflict', 'Somebody else changed this in the meantime.', { item })
}
