import { isAllowed } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { parseRoom } from '@portcullis/contract/rooms'
import { missingSubjects, seenBy } from '../collections/seen-by.ts'
import { resolveAccess } from '../abilities/resolve-access.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../http/app-error.ts'
import type { SessionPerson } from '../sessions/session-store.ts'

/**
 * `view` is what a whole audience sees alike: a collection of an account, less what is hidden from them. `channel` tells
 * apart what bears the same name at different times: an account's ref may be given anew.
 */
export type JoinedRoom = { view: string; channel: string; collection: Collection; accountKey: number; item: string }

/** Whether a person may hear of what happens in a room: the same answer as a list in that account would give. */
export async function checkJoin(database: Database, { person, room }: { person: SessionPerson; room: unknown }) {
  const parsed = parseRoom(room)
  const collection = Object.values<Collection>(collections).find(({ entity }) => entity === parsed?.entity)
  if (!parsed || !collection) throw new AppError('bad_request', 'This is not the name of a room.')
  const { entity, accountRef: account, item } = parsed
  const access = await resolveAccess(database, { person, account, allAccounts: 'no', requestId: 'join' })
  if (access.account.ref !== account) throw new AppError('bad_request', 'A room is named by the ref of its account.')
  if (!isAllowed(access.rules, { action: 'view', subject: collection.subject })) {
    throw new AppError('forbidden', `You may not view ${collection.subject} in ${access.account.name}.`)
  }
  const accountKey = access.account.key
  const view = [entity, accountKey, ...missingSubjects(collection, access.rules)].join('/')
  const seen = seenBy(collection, access.rules)
  const joined: JoinedRoom = { view, channel: `${view}:${item}`, collection: seen, accountKey, item }
  return joined
}
