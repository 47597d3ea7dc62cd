import type { Socket } from 'socket.io'
import type { CommittedChange } from '../changes/committed-change.ts'
import { Audience } from './audience.ts'
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
