import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

type Watching = {
  /** Called when a request begins. */
  onBusy: () => void
  /** Called when a request has its complete answer, and no other is open. */
  onIdle: () => void
}

const counts = new WeakMap<Duplex, number>()
const watched = new WeakMap<Duplex, Watching>()

/**
 * The answers of a server. They count the open requests of each connection, because Node makes one for every request: also for
 * those that it refuses itself, and for those that reach no listener of ours.
 */
export class CountedResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  constructor(...made: ConstructorParameters<typeof ServerResponse<R>>) {
    super(...made)
    const [{ socket }] = made
    counts.set(socket, openRequestsOf(socket) + 1)
    watched.get(socket)?.onBusy()
    this.once('close', () => {
      const left = openRequestsOf(socket) - 1
      counts.set(socket, left)
      if (left === 0 && !socket.destroyed) watched.get(socket)?.onIdle()
    })
  }
}

/** Follows the requests of one connection, of a server with `CountedResponse`. */
export function watchRequests(socket: Duplex, watching: Watching) {
  watched.set(socket, watching)
}

/** The requests of a connection that have no complete answer yet. */
export function openRequestsOf(socket: Duplex) {
  return counts.get(socket) ?? 0
}
