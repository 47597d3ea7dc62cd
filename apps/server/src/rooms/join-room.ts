import { createHash } from 'node:crypto'
import { isAllowed } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { parseRoom } from '@portcullis/contract/rooms'
import { resolveAccess } from '../abilities/resolve-access.ts'
import { missingSubjects, seenBy } from '../collections/seen-by.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../http/app-error.ts'
import type { SessionPerson } from '../sessions/session-store.ts'

/**
 * A room as one person may hear it. `sight` is what a whole audience sees alike: a collection of an account, less what is
 * hidden from them. It knows the account by its key, for an account's ref may be given anew.
 */
export type JoinedRoom = {
  name: string
  /** As this audience sees it. */
  collection: Collection
  accountKey: number
  accountRef: string
  /** An `_id`, or `*`. */
  item: string
  /** The one item that is known to be in it: without the room, that is out of sight too. */
  only: string | undefined
  sight: string
  /** The room of the socket server: one for each sight and item. */
  channel: string
}

/** Whether a person may hear of what happens in a room: the same answer as a list in that account would give. */
export async function checkJoin(database: Database, { person, room }: { person: SessionPerson; room: unknown }) {
  const parsed = parseRoom(room)
  const collection = Object.values<Collection>(collections).find(({ entity }) => entity === parsed?.entity)
  if (!parsed || !collection) throw new AppError('bad_request', 'This is not the name of a room.')
  const { accountRef: account, item } = parsed
  const { rules, account: found } = await resolveAccess(database, {
    person,
    account,
    allAccounts: 'no',
    requestId: 'join',
  })
  if (found.ref !== account) throw new AppError('bad_request', 'A room is named by the ref of its account.')
  if (!isAllowed(rules, { action: 'view', subject: collection.subject })) {
    throw new AppError('forbidden', `You may not view ${collection.subject} in ${found.name}.`)
  }
  const sight = sightOf([collection.name, String(found.key), ...missingSubjects(collection, rules)])
  const joined: JoinedRoom = {
    name: String(room),
    collection: seenBy(collection, rules),
    accountKey: found.key,
    accountRef: account,
    item,
    only: onlyItem({ item, collection, account: found._id }),
    sight,
    channel: `${sight}:${item}`,
  }
  return joined
}

/** The room of all accounts below an account is at least of that account. */
function onlyItem({ item, collection, account }: { item: string; collection: Collection; account: string }) {
  if (item !== '*') return item
  return collection.roomCovers === 'subtree' ? account : undefined
}

/** A word that browsers compare and nobody reads. */
function sightOf(parts: readonly string[]) {
  return createHash('sha256').update(parts.join('/')).digest('base64url').slice(0, 16)
}
