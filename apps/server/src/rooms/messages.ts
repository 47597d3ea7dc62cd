import type { Collection } from '@portcullis/contract/collection'
import { coversSubtree } from '@portcullis/contract/collections/accounts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { CommittedChange } from '../changes/committed-change.ts'
import { comparePositions, type Position, positionText } from '../changes/position.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { allFields } from '../query/list-request.ts'
import { itemOf } from '../query/read-items.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { JoinedRoom } from './join-room.ts'

/** A message sent once to every connection in these channels. */
export type Message = { position: Position; channels: string[]; event: string; contents: unknown[] }

type MessagesOfInput = {
  changes: readonly CommittedChange[]
  roomsOf: (change: CommittedChange) => readonly JoinedRoom[]
}

/** One item with its latest change, and the rooms that receive it. */
type RoomChange = { change: CommittedChange; rooms: JoinedRoom[] }
/** The messages for one scope: `room` is any of its rooms. */
type News = { room: JoinedRoom; items: Map<string, RoomChange> }

/**
 * The messages for committed changes, in their order. Each item is read once for each
 * audience with the same scope, as a list of its account would show it, and is sent as `{entity}:save`, or as
 * `{entity}:remove` where it is out of their scope.
 */
export async function messagesOf(database: Database, { changes, roomsOf }: MessagesOfInput): Promise<Message[]> {
  const news = new Map<string, News>()
  const rereads: Message[] = []
  for (const change of changes) {
    for (const [scope, rooms] of Map.groupBy(roomsOf(change), (room) => room.scope)) {
      const [room] = rooms
      if (!room) continue
      if (change.action === 'reread') {
        rereads.push(...rooms.map((each) => rereadOf(each, change)))
        continue
      }
      const existing = news.get(scope) ?? { room, items: new Map<string, RoomChange>() }
      existing.items.set(change.item, { change, rooms })
      news.set(scope, existing)
    }
  }
  const read = await Promise.all([...news.values()].map((each) => readNews(database, each)))
  return [...read.flat(), ...rereads].toSorted((one, other) => comparePositions(one.position, other.position))
}

/** With only the values that this audience's own accounts may see: two accounts read together would show each other more. */
async function readNews(database: Database, { room, items }: News): Promise<Message[]> {
  const { collection, accountRef } = room
  const visibleAccounts = await coveredBy(database, room)
  const found = await readAlike(database, { collection, visibleAccounts, ids: [...items.keys()] })
  return [...items.values()].map(({ change, rooms }) => {
    const text = found.get(change.item)
    const meta = { position: positionText(change), account: accountRef }
    return {
      position: change,
      channels: rooms.map(({ channel }) => channel),
      event: `${collection.entity}:${text === undefined ? 'remove' : 'save'}`,
      contents: [text === undefined ? { _id: change.item } : document.parse(JSON.parse(text)), meta],
    }
  })
}

type Reading = { collection: Collection; visibleAccounts: readonly number[]; ids: readonly string[] }

async function readAlike(database: Database, { collection, visibleAccounts, ids }: Reading) {
  const table = tableOf(collection)
  const item = itemOf({ collection, fields: allFields(collection), accounts: visibleAccounts })
  const areSent = sql`${table.id} = any(${ids}::uuid[]) and ${belongsTo(table, visibleAccounts)}`
  const question = prepared(sql`select ${table.id}, ${item}::text from ${table.source} where ${areSent}`)
  const answers = await database.ask({ accounts: visibleAccounts, holds: sql`true` }, [question])
  if (!answers) throw new Error('the database did not answer what was changed')
  return new Map(answers[0]?.map(([id, text]) => [id, text ?? 'null']))
}

const document = z.record(z.string(), z.unknown())

function rereadOf({ name, scope, channel }: JoinedRoom, change: CommittedChange): Message {
  return { position: change, channels: [channel], event: 'refetch', contents: [{ room: name, scope }] }
}

/** The accounts whose items a room receives: its own, or those below as well. */
async function coveredBy(database: Database, { collection, accountKey, leftOut }: JoinedRoom) {
  if (!coversSubtree(collection)) return [accountKey]
  const rows = await database.asSystem((tx) =>
    tx.rows(
      z.object({ key: z.int() }),
      sql`select account_closure_descendant as key from account_closure where account_closure_ancestor = ${accountKey}`,
    ),
  )
  return [accountKey, ...rows.map(({ key }) => key)].filter((key) => !leftOut.includes(key))
}
