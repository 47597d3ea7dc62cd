import type { ChangeFeed } from '../changes/change-feed.ts'
import type { CommittedChange } from '../changes/committed-change.ts'
import { isAfter, type Position } from '../changes/position.ts'
import type { Database } from '../database/database.ts'
import type { JoinedRoom } from './join-room.ts'
import { type Message, messagesOf } from './messages.ts'

type Parts = {
  database: Database
  feed: ChangeFeed
  roomsOf: (change: CommittedChange) => readonly JoinedRoom[]
  /** Who may hear it is settled while the messages are made; nothing goes out before. Another number: somebody sees other things now. */
  checkRights: () => Promise<number>
  send: (message: Message) => void
}

/** Tells committed changes to the rooms, batch by batch, and knows how far it has come. */
export class Teller {
  readonly #parts: Parts
  #last: Position = { xid: 0, id: 0 }
  #telling: Promise<void> | undefined
  #changesOfSight = 0

  constructor(parts: Parts) {
    this.#parts = parts
    parts.feed.listen((changes) => {
      const telling = this.#tell(changes).finally(() => {
        this.#telling = undefined
      })
      this.#telling = telling
      return telling
    })
  }

  /** Whether a batch is on its way: it may or may not reach who enters a room now. */
  get isTelling() {
    return this.#telling !== undefined
  }

  async told() {
    await this.#telling?.catch(() => {})
  }

  /** Everything up to here has been sent to the rooms. */
  get reached(): Position {
    const read = this.#parts.feed.position ?? this.#last
    return isAfter(read, this.#last) ? read : this.#last
  }

  async #tell(changes: readonly CommittedChange[]) {
    const { database, roomsOf, checkRights, send } = this.#parts
    const make = () => Promise.all([messagesOf(database, { changes, roomsOf }), checkRights()])
    const [first, changesOfSight] = await make()
    const messages = changesOfSight === this.#changesOfSight ? first : (await make())[0]
    this.#changesOfSight = changesOfSight
    for (const message of messages) send(message)
    this.#last = changes.at(-1) ?? this.#last
  }
}
