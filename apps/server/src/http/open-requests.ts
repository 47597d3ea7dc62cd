import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const counts = new WeakMap<Duplex, number>()

type CountOptions = {
  /** Called when a request of a connection has its complete answer, and no other is open. */
  onIdle: (socket: Duplex) => void
}

/** Counts the open requests of each connection, before any other listener sees a request. */
export function countOpenRequests(server: Server, { onIdle }: CountOptions) {
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    counts.set(socket, openRequestsOf(socket) + 1)
    response.once('close', () => {
      const left = openRequestsOf(socket) - 1
      counts.set(socket, left)
      if (left === 0 && !socket.destroyed) onIdle(socket)
    })
  })
}

/** The requests of a connection that have no complete answer yet. */
export function openRequestsOf(socket: Duplex) {
  return counts.get(socket) ?? 0
}
