import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { CommittedChange } from '../changes/change-feed.ts'
import { tableOf } from '../collections/columns.ts'
import { allFields } from '../collections/list-request.ts'
import { readItems } from '../collections/read-items.ts'
import type { Database } from '../database/database.ts'
import type { JoinedRoom } from './join-room.ts'

type Emit = (channel: string, event: string, body: unknown) => void
type Asked = { changes: readonly CommittedChange[]; rooms: readonly JoinedRoom[]; emit: Emit }

/**
 * Sends committed changes to the rooms that somebody is in: each item is read once, as a list of its account would show
 * it, and goes out as `{entity}:save`, or as `{entity}:remove` where it is gone.
 */
export async function publishChanges(database: Database, { changes, rooms, emit }: Asked) {
  for (const listening of Map.groupBy(rooms, ({ view }) => view).values()) {
    const [room] = listening
    if (!room) continue
    const own = changes.filter(
      ({ collection, account }) => collection === room.collection.name && account === room.accountKey,
    )
    if (own.length === 0) continue
    const items = await readChanged(database, { room, ids: [...new Set(own.map(({ item }) => item))] })
    for (const [id, item] of items) {
      const event = `${room.collection.entity}:${item === undefined ? 'remove' : 'save'}`
      for (const { channel, item: wanted } of listening) {
        if (wanted === '*' || wanted === id) emit(channel, event, item ?? { _id: id })
      }
    }
  }
}

async function readChanged(database: Database, { room, ids }: { room: JoinedRoom; ids: string[] }) {
  const { collection, accountKey }: { collection: Collection; accountKey: number } = room
  const rows = await database.inAccounts([accountKey], (tx) =>
    readItems(tx, {
      collection,
      fields: allFields(collection),
      where: sql`${tableOf(collection).id} = any(${ids}::uuid[])`,
    }),
  )
  const found = new Map(rows.map(({ id, item }) => [id, item]))
  return ids.map((id) => [id, parsed(found.get(id))] as const)
}

function parsed(item: string | undefined) {
  return item === undefined ? undefined : z.record(z.string(), z.unknown()).parse(JSON.parse(item))
}
