import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import { networkOf } from './client-network.ts'

/** Beyond this many, WebSockets included, new connections are closed. */
const mostConnections = 20_000
const leastConnections = 200
/** Files, and connections to the database, that the process also needs. */
const otherFiles = 500

type ShareOptions = {
  trustedProxies: readonly string[]
  most?: number
  /** How many connections one network may have. */
  share?: number
}

/**
 * Gives each network at most a tenth of all connections, so that one cannot take those of others. A network that has its
 * share loses its longest idle connection for a new one, or is refused the new one. Proxies stand for many networks.
 */
export function shareConnections(server: Server, { trustedProxies, most = mostAllowed(), ...given }: ShareOptions) {
  const share = given.share ?? Math.max(leastConnections, Math.floor(most / 10))
  const isTrusted = proxyAddr.compile([...trustedProxies])
  const networks = new Map<string, Set<Socket>>()
  /** Connections without an open request, the longest idle first. */
  const idle = new Set<Duplex>()
  server.maxConnections = most

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isTrusted(remoteAddress, 0)) return
    const network = networkOf(remoteAddress)
    const sockets = networks.get(network) ?? new Set()
    networks.set(network, sockets)
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      idle.delete(socket)
      if (sockets.size === 0 && networks.get(network) === sockets) networks.delete(network)
    })
    if (sockets.size <= share) return
    const surplus = idle.values().find((each) => hasSocket(sockets, each)) ?? socket
    idle.delete(surplus)
    surplus.destroy()
  })

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket)
    })
  })
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => void idle.delete(socket))
}

function hasSocket(sockets: ReadonlySet<Duplex>, socket: Duplex) {
  return sockets.has(socket)
}

/** Fewer than the number of files that the process may open, if the system reports it. */
function mostAllowed() {
  return Math.max(leastConnections, Math.min(mostConnections, openFiles() - otherFiles))
}

function openFiles() {
  try {
    const found = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found ? Number(found[1]) : Infinity
  } catch {
    return Infinity
  }
}
