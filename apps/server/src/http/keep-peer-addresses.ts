import type { Server } from 'node:http'

/** Reads the address of every new connection, which Node keeps: without that, `request.ip` is undefined once a client has left. */
export function keepPeerAddresses(server: Server) {
  server.on('connection', (socket) => void socket.remoteAddress)
}
