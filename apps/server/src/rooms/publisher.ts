import type { ChangeFeed } from '../changes/change-feed.ts'
import type { CommittedChange } from '../changes/committed-change.ts'
import { isAfter, type Position } from '../changes/position.ts'
import type { Database } from '../database/database.ts'
import type { JoinedRoom } from './join-room.ts'
import { type Message, messagesOf } from './messages.ts'

type PublisherOptions = {
  database: Database
  feed: ChangeFeed
  roomsOf: (change: CommittedChange) => readonly JoinedRoom[]
  /**
   * Determines the receivers while the messages are made; nothing is sent before it returns. A new number means that a
   * client's visible data has changed.
   */
  checkRights: () => Promise<number>
  send: (message: Message) => void
}

/** Publishes committed changes to the rooms, batch by batch, and knows its position. */
export class Publisher {
  readonly #parts: PublisherOptions
  readonly #taken: { readonly position: Position | undefined }
  #last: Position = { xid: 0, id: 0 }
  #publishing: Promise<void> | undefined
  #visibilityChanges = 0

  constructor(parts: PublisherOptions) {
    this.#parts = parts
    this.#taken = parts.feed.listen('rooms', (changes) => {
      const publishing = this.#publish(changes).finally(() => {
        this.#publishing = undefined
      })
      this.#publishing = publishing
      return publishing
    })
  }

  /** Whether a batch is being sent. It may or may not reach a client that joins a room now. */
  get isPublishing() {
    return this.#publishing !== undefined
  }

  async published() {
    await this.#publishing?.catch(() => {})
  }

  /** All messages up to this position have been sent to the rooms. */
  get reached(): Position {
    const read = this.#taken.position ?? this.#last
    return isAfter(read, this.#last) ? read : this.#last
  }

  async #publish(changes: readonly CommittedChange[]) {
    const { database, roomsOf, checkRights, send } = this.#parts
    const make = () => Promise.all([messagesOf(database, { changes, roomsOf }), checkRights()])
    const [first, visibilityChanges] = await make()
    const messages = visibilityChanges === this.#visibilityChanges ? first : (await make())[0]
    this.#visibilityChanges = visibilityChanges
    for (const message of messages) send(message)
    this.#last = changes.at(-1) ?? this.#last
  }
}
