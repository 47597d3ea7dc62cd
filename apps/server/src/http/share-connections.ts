import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import { unitsPath } from '@portcullis/contract/unit-protocol/frames'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { networkOf } from './client-network.ts'
import { watchRequests } from './open-requests.ts'

const leastConnections = 200
/** The part of a share that is for units at most, or for others: the rest stays free for the other kind. */
const partOfKind = 3 / 4

type ShareOptions = {
  trustedProxies: readonly string[]
  /** How many connections may be open, WebSockets included. */
  most?: number
  /** How many of them one network may have. */
  ofNetwork?: number
}

/** A connection is new until its first request or WebSocket handshake. */
type Kind = 'new' | 'unit' | 'other'
type Connection = { socket: Duplex; shares: readonly Share[]; kind: Kind }

/** The connections of a server, or those of one network. */
type Share = {
  most: number
  counts: Record<Kind, number>
  /** Those without an open request, the longest idle first. */
  idle: Set<Connection>
  onEmpty: () => void
}

/**
 * Bounds the connections of all clients, and gives each network a tenth. Of either, units take at most three quarters, and
 * so do all others. Where a share is full, a new connection takes the place of its longest idle one, or is refused. Trusted
 * proxies have no share, because they stand for many networks. The answers of the server are `CountedResponse`.
 */
export function shareConnections(
  app: FastifyInstance,
  {
    trustedProxies,
    most = maxConnections(),
    ofNetwork = Math.max(leastConnections, Math.floor(most / 10)),
  }: ShareOptions,
) {
  const isTrusted = proxyAddr.compile([...trustedProxies])
  const all = emptyShare(most)
  const networks = new Map<string, Share>()
  const connections = new WeakMap<Duplex, Connection>()

  app.server.on('connection', (socket: Socket) => {
    const connection: Connection = { socket, shares: sharesOf(socket), kind: 'new' }
    for (const share of connection.shares) share.counts.new += 1
    connections.set(socket, connection)
    socket.once('close', () => leave(connection))
    if (!makeRoom(connection, isFull)) return
    setIdle(connection)
    watchRequests(socket, { onBusy: () => setBusy(connection), onIdle: () => setIdle(connection) })
  })

  app.addHook('onRequest', async ({ raw: { socket } }) => {
    if (!mayServe(socket, 'other')) throw new AppError('too_many', {}, { retryAfterSeconds: 10 })
  })

  app.server.on('upgrade', ({ url }: IncomingMessage, socket: Duplex) => {
    mayServe(socket, url?.split('?')[0] === unitsPath ? 'unit' : 'other')
  })

  function sharesOf({ remoteAddress }: Socket) {
    if (remoteAddress === undefined || isTrusted(remoteAddress, 0)) return [all]
    const network = networkOf(remoteAddress)
    const share = networks.get(network) ?? emptyShare(ofNetwork, () => networks.delete(network))
    networks.set(network, share)
    return [all, share]
  }

  /** Whether a connection may be of this kind; otherwise it is closed. */
  function mayServe(socket: Duplex, kind: Kind) {
    const connection = connections.get(socket)
    // Requests that tests inject have none.
    if (!connection) return !socket.destroyed
    for (const { counts } of connection.shares) {
      counts[connection.kind] -= 1
      counts[kind] += 1
    }
    connection.kind = kind
    setBusy(connection)
    return makeRoom(connection, ({ counts, most: limit }) => counts[kind] > limit * partOfKind, kind)
  }

  /** Ends the longest idle connection, of a kind or of all, of each share that has too many, or else the new one. */
  function makeRoom(connection: Connection, hasTooMany: (share: Share) => boolean, kind?: Kind) {
    for (const share of connection.shares) {
      if (!hasTooMany(share)) continue
      const surplus = share.idle.values().find((each) => kind === undefined || each.kind === kind) ?? connection
      leave(surplus)
      surplus.socket.destroy()
      if (surplus === connection) return false
    }
    return true
  }

  /** At once, because the socket reports its end later. */
  function leave(connection: Connection) {
    if (!connections.delete(connection.socket)) return
    for (const share of connection.shares) {
      share.counts[connection.kind] -= 1
      share.idle.delete(connection)
      if (sizeOf(share) === 0) share.onEmpty()
    }
  }
}

function emptyShare(most: number, onEmpty = () => {}): Share {
  return { most, counts: { new: 0, unit: 0, other: 0 }, idle: new Set(), onEmpty }
}

function setIdle(connection: Connection) {
  for (const { idle } of connection.shares) idle.add(connection)
}

function setBusy(connection: Connection) {
  for (const { idle } of connection.shares) idle.delete(connection)
}

function isFull(share: Share) {
  return sizeOf(share) > share.most
}

function sizeOf({ counts }: Share) {
  return counts.new + counts.unit + counts.other
}

/** Files, and connections to the database, that the process also needs. */
const otherFiles = 500

/** At most 20,000, and fewer than the files that the process may open, where the system reports these. */
export function maxConnections() {
  return Math.max(leastConnections, Math.min(20_000, openFiles() - otherFiles))
}

function openFiles() {
  try {
    const found = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found ? Number(found[1]) : Infinity
  } catch {
    return Infinity
  }
}
