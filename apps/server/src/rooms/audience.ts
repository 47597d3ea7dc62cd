import type { JoinedRoom } from './join-room.ts'

type Place = { room: JoinedRoom; guests: number }

/** Who listens on this server: the rooms that somebody is in, found by what happens in them. */
export class Audience {
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
