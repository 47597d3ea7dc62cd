import type { Socket } from 'socket.io'
import type { CommittedChange } from '../changes/committed-change.ts'
import type { Connection } from './connection.ts'
import type { JoinedRoom } from './join-room.ts'

/** All connections of this server, and the rooms they have joined. */
export class Connections {
  readonly #all = new Set<Connection>()
  readonly #audience = new Audience()

  get all(): readonly Connection[] {
    return [...this.#all]
  }

  welcome(connection: Connection) {
    this.#all.add(connection)
  }

  /** The connection is closed. */
  goodbye(connection: Connection) {
    this.#all.delete(connection)
    for (const room of connection.rooms.values()) this.#audience.leave(room)
    connection.rooms.clear()
  }

  /** Replaces a room of the same name; no effect on a connection that is closed. */
  enter(connection: Connection, room: JoinedRoom) {
    if (!this.#all.has(connection)) return
    this.exit(connection, room.name)
    connection.rooms.set(room.name, room)
    this.#audience.enter(room)
    void connection.socket.join(room.channel)
  }

  exit(connection: Connection, name: string) {
    const room = connection.rooms.get(name)
    if (!room) return
    connection.rooms.delete(name)
    this.#audience.leave(room)
    void connection.socket.leave(room.channel)
  }

  /** Sends a last message and closes the connection. */
  expel(connection: Connection, ...words: Parameters<Socket['emit']>) {
    connection.socket.emit(...words)
    connection.socket.disconnect(true)
  }

  roomsOf(change: CommittedChange) {
    return change.action === 'reread' ? this.#audience.ofAll(change) : this.#audience.of(change)
  }

  /**
   * Closes connections that do not read their messages, so that their queue does not grow and no other connection waits.
   * They get the missed messages when they reconnect.
   */
  dropSlow() {
    for (const connection of this.#all) if (connection.isSlow) connection.socket.conn.request.socket.destroy()
  }
}

type Place = { room: JoinedRoom; connections: number }

/** The listeners of this server: the rooms that at least one connection has joined, found by what changes in them. */
class Audience {
  /** By collection and account, then by item, then by scope. */
  readonly #topics = new Map<string, Map<string, Map<string, Place>>>()

  enter(room: JoinedRoom) {
    const items = upsert(this.#topics, topicOf(room), () => new Map<string, Map<string, Place>>())
    const scopes = upsert(items, room.item, () => new Map<string, Place>())
    upsert(scopes, room.scope, () => ({ room, connections: 0 })).connections += 1
  }

  leave(room: JoinedRoom) {
    const items = this.#topics.get(topicOf(room))
    const scopes = items?.get(room.item)
    const place = scopes?.get(room.scope)
    if (!items || !scopes || !place) return
    place.connections -= 1
    if (place.connections === 0) scopes.delete(room.scope)
    if (scopes.size === 0) items.delete(room.item)
    if (items.size === 0) this.#topics.delete(topicOf(room))
  }

  /** The rooms in which a change of one item is received. */
  of({ collection, account, item }: { collection: string; account: number; item: string }): JoinedRoom[] {
    const items = this.#topics.get(`${collection}/${account}`)
    return items ? [...roomsIn(items.get('*')), ...roomsIn(items.get(item))] : []
  }

  /** The rooms of all items, and of each. */
  ofAll({ collection, account }: { collection: string; account: number }): JoinedRoom[] {
    const items = this.#topics.get(`${collection}/${account}`)
    return items ? [...items.values()].flatMap(roomsIn) : []
  }
}

function topicOf({ collection, accountKey }: JoinedRoom) {
  return `${collection.name}/${accountKey}`
}

function roomsIn(scopes: ReadonlyMap<string, Place> | undefined) {
  return scopes ? [...scopes.values()].map(({ room }) => room) : []
}

function upsert<V>(map: Map<string, V>, key: string, make: () => V): V {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const made = make()
  map.set(key, made)
  return made
}
