import type { Socket } from 'socket.io'
import type { CommittedChange } from '../changes/committed-change.ts'
import type { Guest } from './guest.ts'
import type { JoinedRoom } from './join-room.ts'

/** Everybody who is connected to this server, and where they are. */
export class Guests {
  readonly #all = new Set<Guest>()
  readonly #audience = new Audience()

  get all(): readonly Guest[] {
    return [...this.#all]
  }

  welcome(guest: Guest) {
    this.#all.add(guest)
  }

  /** The connection is gone. */
  goodbye(guest: Guest) {
    this.#all.delete(guest)
    for (const room of guest.rooms.values()) this.#audience.leave(room)
    guest.rooms.clear()
  }

  /** Takes the place of a room of the same name; without effect for who is gone. */
  enter(guest: Guest, room: JoinedRoom) {
    if (!this.#all.has(guest)) return
    this.exit(guest, room.name)
    guest.rooms.set(room.name, room)
    this.#audience.enter(room)
    void guest.socket.join(room.channel)
  }

  exit(guest: Guest, name: string) {
    const room = guest.rooms.get(name)
    if (!room) return
    guest.rooms.delete(name)
    this.#audience.leave(room)
    void guest.socket.leave(room.channel)
  }

  /** Says a last word and closes the connection. */
  expel(guest: Guest, ...words: Parameters<Socket['emit']>) {
    guest.socket.emit(...words)
    guest.socket.disconnect(true)
  }

  roomsOf(change: CommittedChange) {
    return change.action === 'reread' ? this.#audience.ofAll(change) : this.#audience.of(change)
  }

  /**
   * Ends the connections of those who don't read what they are sent: nobody else waits for them, and what waits for them does
   * not grow. When they are back they get what they missed.
   */
  dropSlow() {
    for (const guest of this.#all) if (guest.isSlow) guest.socket.conn.request.socket.destroy()
  }
}

type Place = { room: JoinedRoom; guests: number }

/** Who listens on this server: the rooms that somebody is in, found by what happens in them. */
class Audience {
  /** By collection and account, then by item, then by sight. */
  readonly #topics = new Map<string, Map<string, Map<string, Place>>>()

  enter(room: JoinedRoom) {
    const items = upsert(this.#topics, topicOf(room), () => new Map<string, Map<string, Place>>())
    const sights = upsert(items, room.item, () => new Map<string, Place>())
    upsert(sights, room.sight, () => ({ room, guests: 0 })).guests += 1
  }

  leave(room: JoinedRoom) {
    const items = this.#topics.get(topicOf(room))
    const sights = items?.get(room.item)
    const place = sights?.get(room.sight)
    if (!items || !sights || !place) return
    place.guests -= 1
    if (place.guests === 0) sights.delete(room.sight)
    if (sights.size === 0) items.delete(room.item)
    if (items.size === 0) this.#topics.delete(topicOf(room))
  }

  /** The rooms in which a change of one item is heard. */
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

function roomsIn(sights: ReadonlyMap<string, Place> | undefined) {
  return sights ? [...sights.values()].map(({ room }) => room) : []
}

function upsert<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
