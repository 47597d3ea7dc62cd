import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { CommittedChange } from '../changes/committed-change.ts'
import { comparePositions, type Position, positionText } from '../changes/position.ts'
import { tableOf } from '../collections/columns.ts'
import { allFields } from '../collections/list-request.ts'
import { readItems } from '../collections/read-items.ts'
import type { Database } from '../database/database.ts'
import type { JoinedRoom } from './join-room.ts'

/** What goes out to everybody in these channels, once to each. */
export type Message = { position: Position; channels: string[]; event: string; contents: unknown[] }

type Asked = { changes: readonly CommittedChange[]; roomsOf: (change: CommittedChange) => readonly JoinedRoom[] }

/** One item for one audience, as it was changed last. */
type Told = { change: CommittedChange; rooms: JoinedRoom[]; collection: Collection; accountRef: string }

/**
 * What committed changes mean for those who hear of them, in the order of the changes. Each item is read once for each
 * audience that sees it alike, as a list of its account would show it, and goes out as `{entity}:save`, or as
 * `{entity}:remove` where it is not in their sight.
 */
export async function messagesOf(database: Database, { changes, roomsOf }: Asked): Promise<Message[]> {
  const told = new Map<string, Told>()
  const rereads: Message[] = []
  for (const change of changes) {
    for (const [sight, rooms] of Map.groupBy(roomsOf(change), (room) => room.sight)) {
      const [room] = rooms
      if (!room) continue
      const { collection, accountRef } = room
      if (change.action === 'reread') rereads.push(...rooms.map((each) => rereadOf(each, change)))
      else told.set(`${sight}/${change.item}`, { change, rooms, collection, accountRef })
    }
  }
  const bySight = Map.groupBy(told.values(), ({ collection }) => collection)
  const read = [...bySight].map(([collection, all]) => readTold(database, { collection, told: all }))
  const saves = (await Promise.all(read)).flat()
  return [...saves, ...rereads].toSorted((one, other) => comparePositions(one.position, other.position))
}

type Reading = { collection: Collection; told: readonly Told[] }

async function readTold(database: Database, { collection, told }: Reading): Promise<Message[]> {
  const accounts = [...new Set(told.map(({ change }) => change.account))]
  const covered = await coveredBy(database, { collection, accounts })
  const inSight = [...new Set([...covered.values()].flatMap((keys) => [...keys]))]
  const { id, account } = tableOf(collection)
  const ids = [...new Set(told.map(({ change }) => change.item))]
  const rows = await database.inAccounts(inSight, (tx) =>
    readItems(tx, {
      collection,
      fields: allFields(collection),
      where: sql`${id} = any(${ids}::uuid[]) and ${account} = any(${inSight}::int[])`,
    }),
  )
  const found = new Map(rows.map((row) => [`${row.id}/${row.account}`, row.item]))
  return told.map(({ change, rooms, accountRef }) => {
    const account = [...(covered.get(change.account) ?? [])].find((key) => found.has(`${change.item}/${key}`))
    const text = account === undefined ? undefined : found.get(`${change.item}/${account}`)
    const meta = { position: positionText(change), account: accountRef }
    return {
      position: change,
      channels: rooms.map(({ channel }) => channel),
      event: `${collection.entity}:${text === undefined ? 'remove' : 'save'}`,
      contents: [text === undefined ? { _id: change.item } : document.parse(JSON.parse(text)), meta],
    }
  })
}

const document = z.record(z.string(), z.unknown())

function rereadOf({ name, sight, channel }: JoinedRoom, change: CommittedChange): Message {
  return { position: change, channels: [channel], event: 'refetch', contents: [{ room: name, sight }] }
}

/** The accounts whose items are heard of in a room of these accounts: their own, or those of all below. */
async function coveredBy(
  database: Database,
  { collection, accounts }: { collection: Collection; accounts: readonly number[] },
) {
  const covered = new Map(accounts.map((account) => [account, new Set([account])]))
  if (collection.roomCovers === 'account') return covered
  const rows = await database.asSystem((tx) =>
    tx.rows(
      z.object({ above: z.int(), below: z.int() }),
      sql`select account_closure_ancestor as above, account_closure_descendant as below from account_closure
           where account_closure_ancestor = any(${[...accounts]}::int[])`,
    ),
  )
  for (const { above, below } of rows) covered.get(above)?.add(below)
  return covered
}
