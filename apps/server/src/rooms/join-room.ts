import { createHash } from 'node:crypto'
import { isAllowed } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { coversSubtree } from '@portcullis/contract/collections/accounts'
import { collections } from '@portcullis/contract/collections/registry'
import { parseRoom } from '@portcullis/contract/rooms'
import { problem } from '@portcullis/contract/errors/problem'
import { resolveAccess } from '../abilities/resolve-access.ts'
import { missingSubjects, seenBy } from '../abilities/seen-by.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { unusable } from '../errors/unusable.ts'
import type { SessionPerson } from '../sessions/session-store.ts'

/**
 * A room as one user may follow it. `scope` is shared by all users who see the same: a collection of an account, without
 * the fields withheld from them. It identifies the account by its key, because an account's ref may be reused.
 */
export type JoinedRoom = {
  name: string
  /** As this audience sees it. */
  collection: Collection
  accountKey: number
  accountRef: string
  /** An `_id`, or `*`. */
  item: string
  /** Keys of accounts below it whose items are not sent to it, because a nearer role of this audience allows less there. */
  leftOut: readonly number[]
  /** The one item known to be in it: without the room, it is out of scope, too. */
  only: string | undefined
  scope: string
  /** The room of the socket server: one for each scope and item. */
  channel: string
}

/** Whether a user may follow rooms: the same answer as a list in that account would give. */
export function roomAuthorizer(database: Database, person: SessionPerson) {
  const accesses = new Map<string, ReturnType<typeof resolveAccess>>()

  return async (room: unknown): Promise<JoinedRoom> => {
    const parsed = parseRoom(room)
    const collection = Object.values<Collection>(collections).find(({ entity }) => entity === parsed?.entity)
    if (!parsed || !collection) throw unusable('room', problem('invalid_room_name'))
    const { accountRef, item } = parsed
    const { rules, account, subtree, covered } = await accessIn(accountRef)
    if (account.ref !== accountRef) throw unusable('room', problem('room_without_ref'))
    if (!isAllowed(rules, { action: 'view', subject: collection.subject })) {
      throw new AppError('forbidden', { action: 'view', subject: collection.subject, account: account.name })
    }
    const leftOut = coversSubtree(collection) ? difference(subtree, covered) : []
    const scope = scopeOf([collection.name, account.key, ...missingSubjects(collection, rules), ...leftOut])
    return {
      name: String(room),
      collection: seenBy(collection, rules),
      accountKey: account.key,
      accountRef,
      item,
      leftOut,
      only: onlyItem({ item, collection, account: account._id }),
      scope,
      channel: `${scope}:${item}`,
    }
  }

  /** Most rooms are of one account. */
  function accessIn(account: string) {
    const existing = accesses.get(account)
    if (existing) return existing
    const access = resolveAccess(database, { person, account, allAccounts: 'no', requestId: 'join' })
    accesses.set(account, access)
    return access
  }
}

/** The room of all accounts below an account needs at least the right to that account. */
function onlyItem({ item, collection, account }: { item: string; collection: Collection; account: string }) {
  if (item !== '*') return item
  return coversSubtree(collection) ? account : undefined
}

function difference(all: readonly number[], less: readonly number[]) {
  if (all.length === less.length) return []
  const excluded = new Set(less)
  return all.filter((key) => !excluded.has(key)).toSorted((a, b) => a - b)
}

/** A text that browsers only compare. */
function scopeOf(parts: readonly (string | number)[]) {
  return createHash('sha256').update(parts.join('/')).digest('base64url').slice(0, 16)
}
