import { isAllowed } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { tableOf } from '../query/columns.ts'

/** More of one kind are said to be more: to count the events of years would keep whoever asks waiting. */
const mostCounted = 10_000

/**
 * Refuses with what an account holds, by kind: nothing that belongs to it may vanish with it, nor become nobody's. What people
 * did to it, such as signing in, is no reason to keep it. Of kinds that whoever asks may not view it is told that there is
 * something, and neither what nor how much.
 */
export async function refuseWhileHolding(tx: Transaction, { account: { _id, key }, rules }: Access) {
  const isShown = ({ subject }: Collection) => isAllowed(rules, { action: 'view', subject })
  const counts = await Promise.all([countBelow(tx, _id), ...kinds.map((kind) => countOf(tx, { kind, key }))])
  const held = counts.filter(({ count }) => count > 0)
  if (held.length === 0) return
  const shown = held.filter(({ kind }) => kind === undefined || isShown(kind))
  const rest = shown.length < held.length ? ['what is not yours to see'] : []
  const list = inWords([...shown.map(saidOf), ...rest])
  throw new AppError('still_in_use', `This account still holds ${list}. Move or delete those first, or suspend it.`)
}

const kinds = Object.values<Collection>(collections).filter(
  ({ name }) => name !== accounts.name && name !== auditLogs.name,
)

/** Where one of them is called otherwise than its entity. */
const words: Readonly<Record<string, string>> = {
  events: 'access event',
  units: 'controller',
  rules: 'access rule',
  reports: 'incident report',
  tasks: 'remote access request',
  tenants: 'identity provider',
  metaDataTemplates: 'metadata template',
}

type Held = { word: string; count: number; kind: Collection | undefined }

async function countBelow(tx: Transaction, account: string): Promise<Held> {
  const below = await tx.first(counted, sql`select count(*) as count from account where account_parent = ${account}`)
  return { word: 'account below it', count: below?.count ?? 0, kind: undefined }
}

const counted = z.object({ count: z.coerce.number() })

async function countOf(tx: Transaction, { kind, key }: { kind: Collection; key: number }): Promise<Held> {
  const { name, account } = tableOf(kind)
  const among = kind.name === 'events' ? sql`and event_category <> 'administration'` : sql``
  const found = await tx.first(
    counted,
    sql`select count(*) as count from (select from ${name} where ${account} = ${key} ${among} limit ${mostCounted + 1}) held`,
  )
  return { word: words[kind.name] ?? spaced(kind.entity), count: found?.count ?? 0, kind }
}

function saidOf({ word, count }: Held) {
  const number = count > mostCounted ? `more than ${mostCounted.toLocaleString('en')}` : count.toLocaleString('en')
  return `${number} ${count === 1 ? word : plural(word)}`
}

function plural(word: string) {
  return word.startsWith('account ') ? word.replace('account', 'accounts') : `${word}s`
}

function inWords(parts: readonly string[]) {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(parts)
}

/** `doorGroup` is a door group. */
function spaced(entity: string) {
  return entity.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
