import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { openRequestsOf } from './open-requests.ts'

/**
 * Whether Node raises the request as an upgrade: a WebSocket handshake. Any other Upgrade header is ignored (RFC 9110, 7.8), and
 * so is a handshake behind an unanswered request on the same connection, whose answer would be lost.
 */
export function isHandshake({ headers, socket }: IncomingMessage) {
  return headers.upgrade?.toLowerCase() === 'websocket' && openRequestsOf(socket) === 0
}

/**
 * Attaches an error handler to each upgraded socket, because without one a reset ends the process, and answers 404 for every path
 * that no listener serves. Call it before the listeners of `served` are added.
 */
export function guardUpgrades(server: Server, served: readonly string[]) {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    const [path = ''] = (request.url ?? '').split('?')
    if (!served.some((each) => path === each)) refuseUpgrade(socket, 404, 'There is no WebSocket at this address.')
  })
}

const reasons = { 400: 'Bad Request', 404: 'Not Found', 503: 'Service Unavailable' } as const

/** Answers an upgrade in plain HTTP and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: keyof typeof reasons, sentence: string) {
  const head = `HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\n`
  // A client that does not close its side must not keep ours open.
  socket.once('finish', () => socket.destroy())
  socket.end(`${head}Content-Length: ${Buffer.byteLength(sentence)}\r\n\r\n${sentence}`)
}
