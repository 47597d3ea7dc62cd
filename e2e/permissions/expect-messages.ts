import type { Collection } from '@portcullis/contract/collection'
import { coversSubtree } from '@portcullis/contract/collections/accounts'
import { collections } from '@portcullis/contract/collections/registry'
import { isLater, messageMeta, roomsPerSocket } from '@portcullis/contract/rooms'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { z } from 'zod'
import { recordChanges } from '@portcullis/server/changes/record-change'
import { changeColumns } from '@portcullis/server/changes/committed-change'
import { position, positionText } from '@portcullis/server/changes/position'
import { chunks, connectPersona } from './try-rooms.ts'
import type { Finding } from './judge-answer.ts'
import { judgeWord } from './judge-word.ts'
import { refOf } from './marks.ts'
import type { OpenSocket, ReceivedMessage } from './open-socket.ts'
import { coveredFrom, type Persona } from './personas.ts'
import { parentOf, type Place, places } from './places.ts'
import { type RequestedRoom, placeEntered, wellNamedRooms } from './room-names.ts'
import type { MatrixReport } from './matrix-report.ts'
import type { World } from './world.ts'

/** A change of an item, and the accounts whose rooms receive it. */
export type ItemChange = { collection: Collection; id: string; home: Place; notifiedPlaces: readonly Place[] }
type Verb = 'save' | 'remove'

/** A client that listens, and the rooms that it requested; it joined those that it may join. */
export type Listener = { persona: Persona; socket: OpenSocket; rooms: readonly RequestedRoom[]; kind: string }

const all = Object.values<Collection>(collections)

/** Connects every persona with a session to all rooms of all items, and to those of each account's items in each account. */
export async function listenEverywhere(world: World): Promise<Listener[]> {
  const rooms = places.flatMap((account) => all.flatMap((collection) => wellNamedRooms({ world, collection, account })))
  const [wide, narrow] = [rooms.filter(({ item }) => !item), rooms.filter(({ item }) => item)]
  const listening = connections(world).flatMap((persona) => {
    const entered = ({ account }: RequestedRoom) => placeEntered(persona, account) !== undefined
    return [
      listen(world, { persona, rooms: wide, kind: 'all items' }),
      ...chunks(narrow.filter(entered), roomsPerSocket).map((some) =>
        listen(world, { persona, rooms: some, kind: 'an item' }),
      ),
    ]
  })
  return Promise.all(listening)
}

/** Connects every persona again, account by account, and receives the changes missed since a position. */
export async function catchUp(world: World, since: string): Promise<Listener[]> {
  const listening = connections(world).flatMap((persona) =>
    places.map((account) => {
      const rooms = all.flatMap((collection) => wellNamedRooms({ world, collection, account }).slice(0, 1))
      return listen(world, { persona, rooms, kind: 'caught up', since })
    }),
  )
  return Promise.all(listening)
}

type Listening = { persona: Persona; rooms: readonly RequestedRoom[]; kind: string; since?: string }

async function listen(world: World, { persona, rooms, kind, since }: Listening): Promise<Listener> {
  const socket = await connectPersona(world, persona)
  const names = rooms.map(({ name }) => name)
  await socket.resume(names, since ?? null)
  return { persona, socket, rooms, kind }
}

function connections({ personas }: World) {
  return personas.filter(({ cookie }) => cookie !== undefined)
}

/** Records a change of some items of every collection in every account, and returns these changes. */
export async function touchItems(world: World): Promise<ItemChange[]> {
  const itemChanges = all.flatMap((collection) =>
    places.flatMap((home) => {
      const own = world.idOf(home, collection.name)
      const further = world.rowsIn(collection.name, new Set([home])).filter((id) => id !== own)
      return [own, ...further.slice(0, 2)].map((id): ItemChange => {
        // A user who is a member of two accounts is sent to both.
        const homes = places.filter((place) => world.rowsIn(collection.name, new Set([place])).includes(id))
        return { collection, id, home, notifiedPlaces: homes.flatMap((place) => notifiedPlacesOf(collection, place)) }
      })
    }),
  )
  await world.server.database.asSystem((tx) =>
    recordChanges(
      tx,
      itemChanges.flatMap(({ collection: { name }, id, notifiedPlaces }) =>
        notifiedPlaces.map((place) => {
          return { account: world.keyOf(place), collection: name, item: id, action: 'save', isPolicy: false }
        }),
      ),
    ),
  )
  return itemChanges
}

/** Creates an item of every writable collection in every account. */
export async function makeItems(world: World): Promise<ItemChange[]> {
  const written = all.filter(({ readOnly, name }) => !readOnly && name !== 'tasks')
  const made = places.map(async (home) => {
    const here: ItemChange[] = []
    for (const collection of written) {
      const id = await world.makeItem(home, collection.name)
      here.push({ collection, id, home, notifiedPlaces: notifiedPlacesOf(collection, home) })
    }
    return here
  })
  return (await Promise.all(made)).flat()
}

export async function deleteItems(world: World, itemChanges: readonly ItemChange[]) {
  for (const { collection, id, home } of itemChanges.toReversed()) {
    const account = collection.name === 'accounts' ? await refOfAccount(world, id) : refOf(home)
    const { status } = await world.server.in(account)('DELETE', `/api/${collection.name}/${id}`)
    if (status !== 204) throw new Error(`DELETE /api/${collection.name}: ${status} in ${home}`)
  }
}

async function refOfAccount({ server }: World, id: string) {
  const found = await server.database.asSystem((tx) =>
    tx.first(z.object({ ref: z.string() }), sql`select account_ref as ref from account where account_id = ${id}`),
  )
  return found?.ref ?? ''
}

/** Changes of accounts are also sent to the rooms of all accounts above them. */
function notifiedPlacesOf(collection: Collection, home: Place): Place[] {
  if (!coversSubtree(collection)) return [home]
  const above = parentOf(home)
  return above ? [home, ...notifiedPlacesOf(collection, above)] : [home]
}

/** Waits until every listener has received all changes that are in the outbox now. */
export async function everythingReceived({ server }: World, listeners: readonly Listener[]) {
  const last = await server.database.asSystem((tx) =>
    tx.first(position, sql`select ${changeColumns} from change order by change_xid desc, change_id desc limit 1`),
  )
  const text = positionText(position.parse(last))
  await Promise.all(
    listeners.map(({ socket }) =>
      expect
        .poll(async () => isLater(text, (await socket.resume([], null)).position), { timeout: 60_000, interval: 100 })
        .toBe(false),
    ),
  )
}

type Judging = {
  world: World
  report: MatrixReport
  listeners: readonly Listener[]
  itemChanges: readonly ItemChange[]
  verb: Verb
}

/** Compares the messages received since the last call with those expected for these changes. */
export function judgeReceived({ world, report, listeners, itemChanges, verb }: Judging) {
  for (const listener of listeners) {
    const received = listener.socket.received.splice(0).map(readMessage)
    const { persona, kind } = listener
    const receivedKeys = new Set(
      received.flatMap((message) => (message.is === 'item' && message.verb === verb ? [keyOf(message)] : [])),
    )
    for (const room of listener.rooms) {
      for (const itemChange of itemChanges.filter(({ collection }) => collection === room.collection)) {
        const isReceived = receivedKeys.has(
          keyOf({ ...itemChange, entity: room.collection.entity, account: room.account }),
        )
        const findings = judgeMessage(world, { listener, room, itemChange, verb, isReceived })
        report.count(
          {
            verb,
            room: kind,
            requester: persona.name,
            'account of the room': room.account,
            'account of the item': itemChange.home,
            collection: room.collection.name,
          },
          findings.map((finding) => ({
            ...finding,
            where: `${room.collection.name} of ${itemChange.home} in ${String(room.name)} (${kind}) by ${persona.name}`,
          })),
        )
      }
    }
    for (const message of received) {
      const findings = judgeContents(world, { listener, message })
      report.add(findings.map((finding) => ({ ...finding, where: `${message.text} (${kind}) to ${persona.name}` })))
    }
  }
}

type JudgeMessageInput = {
  listener: Listener
  room: RequestedRoom
  itemChange: ItemChange
  verb: Verb
  isReceived: boolean
}

/** Whether a listener received a message of this room; it may have come through another of its rooms in that account. */
function judgeMessage(
  world: World,
  { listener: { persona, rooms }, room, isReceived, ...delivery }: JudgeMessageInput,
): Finding[] {
  const isReceivedIn = (other: RequestedRoom) => isNotified(world, { persona, room: other, ...delivery })
  if (isReceivedIn(room)) return isReceived ? [] : [{ kind: 'surprise', what: 'nothing was received' }]
  if (!isReceived || rooms.some((other) => other.account === room.account && isReceivedIn(other))) return []
  return [{ kind: 'leak', what: `${delivery.verb} was received` }]
}

type Delivery = { persona: Persona; room: RequestedRoom; itemChange: ItemChange; verb: Verb }

/** Whether users who may join a room receive a change in it. A deletion goes to all of them, because it reveals only an id. */
function isNotified(world: World, { persona, room, itemChange, verb }: Delivery) {
  if (room.expects(persona) !== 'ok' || room.collection !== itemChange.collection) return false
  const place = itemChange.notifiedPlaces.find((one) => one === room.account)
  if (place === undefined) return false
  const { home, collection } = itemChange
  if (verb === 'save' && coversSubtree(collection) && !coveredFrom(place, persona).has(home)) return false
  return room.item === undefined || world.idOf(room.item, room.collection.name) === itemChange.id
}

type ReadMessage =
  | { is: 'item'; text: string; verb: string; entity: string; id: string; account: Place | undefined }
  | { is: 'notice'; text: string }

const named = z.looseObject({ _id: z.string() })

function readMessage({ event, args }: ReceivedMessage): ReadMessage {
  const text = JSON.stringify([event, ...args])
  const [entity = '', verb] = event.split(':')
  if (verb === undefined) return { is: 'notice', text }
  const { account } = messageMeta.parse(args[1])
  const place = places.find((each) => refOf(each) === account)
  return { is: 'item', text, verb, entity, id: named.parse(args[0])._id, account: place }
}

function keyOf({ entity, id, account }: { entity: string; id: string; account: string | undefined }) {
  return `${entity} ${id} ${account}`
}

/** A message may show only rows of its room's account, and only to users in a room of that account. */
function judgeContents(
  world: World,
  { listener: { persona, rooms }, message }: { listener: Listener; message: ReadMessage },
) {
  const { text } = message
  const entered = new Set(places.filter((place) => placeEntered(persona, place) !== undefined))
  // A notice repeats the room name that the client requested.
  const sent = JSON.stringify(rooms.map(({ name }) => name))
  if (message.is === 'notice') return judgeWord({ world, persona, text, places: entered, sent })
  const { account, entity } = message
  const isInRoom = rooms.some(
    (room) => room.account === account && room.collection.entity === entity && room.expects(persona) === 'ok',
  )
  const covered =
    entity === 'account' && account
      ? places.filter((place) => notifiedPlacesOf(collections.accounts, place).includes(account))
      : []
  const changed = isInRoom && account ? new Set([account, ...covered]) : new Set<Place>()
  const shown = account ? changed.intersection(coveredFrom(account, persona)) : changed
  const findings = judgeWord({ world, persona, text, places: shown, ids: changed, sent: '' })
  return isInRoom ? findings : [...findings, { kind: 'leak' as const, what: 'they are in no room that receives it' }]
}
